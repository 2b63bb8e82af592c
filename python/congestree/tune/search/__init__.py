"""The search: settings are proposed in batches, run, and told to Optuna; whatever is finished stays finished.

The folder of a study holds

    question.json   what is asked; a study goes on with the same question only
    journal.log     Optuna's journal: every setting that was proposed, and what became of it
    runs/<hash>/    one run directory for each run; what is finished there is never run again

Settings of a batch are proposed before the first of them is known, and told in the order in which they were proposed,
so that the study does not depend on the number of workers, and a study that was interrupted goes on as if it had not
been. A setting that was tried before is not tried again, and does not count.

| file | holds |
| --- | --- |
| `searching.py` | the search, batch by batch |
| `proposing.py` | which settings are tried next |
| `experiments.py` | the runs of settings, and what they amount to |
| `journal.py` | the study on disk: opened, checked, mended |
"""
