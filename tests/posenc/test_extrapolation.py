"""The experiment of lesson longer-texts measures the scalings that it names."""

from dataclasses import replace

import pytest
import torch

from experiments.extrapolation import JUDGED, PLAIN, STRETCHED, TRAINED, ByteModel, loss_at, stretch

pytestmark = pytest.mark.torch

LENGTH, FACTOR = 2 * TRAINED, 4.0


@pytest.fixture(autouse=True)
def one_thread():
    """As in the experiment; on a busy machine so small a model waits for the others' turns."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize("scaling", STRETCHED.values())
def test_a_stretched_model_equals_a_model_made_with_the_scaling(scaling):
    torch.manual_seed(0)
    text, rope = torch.randint(256, (1, LENGTH + 1)), PLAIN["rope"]
    model = ByteModel(rope)
    with torch.inference_mode():
        before = model(text)  # the waves are kept from here on
    loss_before = loss_at(model, text, LENGTH)
    stretch(model, scaling, FACTOR)
    made = ByteModel(replace(rope, scaling=scaling, factor=FACTOR, trained_length=TRAINED))
    made.load_state_dict(model.state_dict())
    torch.testing.assert_close(model(text), made(text))
    assert (model(text) - before)[:, -JUDGED:].abs().max() > 1e-2
    assert loss_at(model, text, LENGTH) != loss_before
