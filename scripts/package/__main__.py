"""`python -m sv_deid_chat` is `sv-deid-chat`; without the name of a command it is `run`.

No module has the name of a command: importing it would hide the function of that name.
"""

import sys

from .command_line import is_name, main

if __name__ == "__main__":
    main("" if is_name(sys.argv[1:2]) else "run")
