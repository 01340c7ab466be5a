"""Two hundred runs of each kind that are killed at random moments: row 12 of the list of faults."""

import pytest
from test_checkpoints import killed_and_resumed
from test_checkpoints import unbroken as unbroken  # the fixture


@pytest.mark.row(12)
@pytest.mark.row(13)
@pytest.mark.parametrize("hundred", range(2))
def test_no_kill_loses_anything(quoin, tmp_path, unbroken, hundred):
    for seed in range(1000 + 100 * hundred, 1100 + 100 * hundred):
        killed_and_resumed(quoin, tmp_path, unbroken, seed)
