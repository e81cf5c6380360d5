import components.scoring, components.surrogate_generator
import time
t=time.time()
def test_x(tiny_nlp):
    t=time.time()
    for text in ["Hej, jag heter Anna Lind och är 34 år.", "Hej Bo Ek, ring mig på 070-1740605 idag i Lund", ""]:
        doc=tiny_nlp(text)
        print([(e.text,e.label_) for e in doc.ents], {k:len(v) for k,v in doc.spans.items()}, doc._.deidentified)
    print(time.time()-t)
