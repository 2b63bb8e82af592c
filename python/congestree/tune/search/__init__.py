"""The search: settings are proposed in batches, run, and their results told to Optuna; no finished run is repeated.

The folder of a study holds

    question.json   the question; a study can be continued only with the same one
    journal.log     Optuna's journal: every setting that was proposed, and its result
    runs/<hash>/    one run directory for each run; a finished one is never run again

The settings of a batch are proposed before the result of the first is known, and told in the order in which they were
proposed, so that the study does not depend on the number of workers, and an interrupted study continues as if it had
not been interrupted. A setting that was tried before is not tried again, and does not count.

| file | holds |
| --- | --- |
| `searching.py` | the search, batch by batch |
| `proposing.py` | which settings are tried next |
| `experiments.py` | the runs of settings, and their results |
| `journal.py` | the study on disk: opened, checked, repaired |
"""
