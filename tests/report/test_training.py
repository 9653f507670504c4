"""The table of what an estimator has learnt."""

import math

from tricolore.report.training import training_sheet


def test_one_row_per_human_score_and_predictor():
    known = {"value": 0.5, "sem": 0.1, "documents": 3}
    none = {"value": None, "sem": None, "documents": 0}
    error = {
        "liked": {
            "mix": {"mae": 0.2, "spearman": known, "kendall-b": known, "pearson": known},
            "mean": {"mae": 0.3, "spearman": none, "kendall-b": none, "pearson": none},
        }
    }
    sheet = training_sheet(error)
    assert sheet.headers == ["human score", "predictor", "MAE", "ρ", "τ-b", "r"]
    mix, mean = sheet.rows
    assert (mix[0], mix[1], mix[2].value) == ("liked", "mix", 0.2)
    assert (mix[3].value, mix[3].sem) == (0.5, 0.1)
    assert math.isnan(mean[3].value)
