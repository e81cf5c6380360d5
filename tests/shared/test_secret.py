"""Secrets of the environment: with a line break behind them, in a file, too short."""

import pytest

from components.serve.security import TOKEN_VARIABLE, read_token
from components.shared.secret import has_secret, read_secret
from components.surrogates.core.key import KEY_VARIABLE, read_key
from components.vault import VAULT_KEY_VARIABLE, Vault, VaultError

SECRET = "Knurvelstocksfnatt-1"


def read_all(variable):
    return {KEY_VARIABLE: lambda: read_key().decode(), TOKEN_VARIABLE: read_token}[variable]()


@pytest.mark.parametrize("variable", [KEY_VARIABLE, TOKEN_VARIABLE])
@pytest.mark.parametrize("around", ["{}", "{}\n", "\r\n {}\r\n", "\ufeff{}\n"])
def test_white_space_is_no_part_of_a_secret(variable, around, monkeypatch, tmp_path):
    monkeypatch.delenv(variable, raising=False)
    path = tmp_path / "secret"
    path.write_text(around.format(SECRET), encoding="utf8")
    monkeypatch.setenv(f"{variable}_FILE", str(path))
    assert has_secret(variable)
    assert read_all(variable) == SECRET
    monkeypatch.delenv(f"{variable}_FILE")
    monkeypatch.setenv(variable, around.format(SECRET))
    assert read_all(variable) == SECRET


def test_a_vaults_key_in_a_file(monkeypatch, tmp_path):
    monkeypatch.delenv(VAULT_KEY_VARIABLE, raising=False)
    path = tmp_path / "secret"
    monkeypatch.setenv(f"{VAULT_KEY_VARIABLE}_FILE", str(path))
    with pytest.raises(VaultError, match="must name a file that can be read"):
        Vault.from_environment()
    path.write_text(Vault.new_key() + "\n")
    Vault.from_environment()


@pytest.mark.parametrize("variable", [KEY_VARIABLE, TOKEN_VARIABLE])
@pytest.mark.parametrize("secret", ["", "x", SECRET[:15], f"{SECRET[:15]}\n\n"])
def test_a_short_secret_is_refused(variable, secret, monkeypatch):
    monkeypatch.setenv(variable, secret)
    with pytest.raises(ValueError, match=f"{variable} must have at least 16 bytes"):
        read_all(variable)


@pytest.mark.parametrize("token", [f"{SECRET} {SECRET}", f"{SECRET}å"])
def test_a_token_that_no_header_carries_is_refused(token, monkeypatch):
    monkeypatch.setenv(TOKEN_VARIABLE, token)
    with pytest.raises(ValueError, match="one word of ASCII"):
        read_token()


def test_two_sources_of_one_secret_are_refused(monkeypatch):
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    monkeypatch.setenv(f"{KEY_VARIABLE}_FILE", "x")
    with pytest.raises(ValueError, match="both set"):
        read_secret(KEY_VARIABLE)


def test_no_secret(monkeypatch):
    for variable in (KEY_VARIABLE, TOKEN_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
        assert not has_secret(variable) and read_secret(variable) is None
    assert read_token() is None and len(read_key()) == 32
