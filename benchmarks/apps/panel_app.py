"""One slider and one picture in Panel: `panel serve panel_app.py`."""

import panel as pn
from picture import FIRST, LAST, START, marked_picture

pn.extension()
slider = pn.widgets.IntSlider(name="d_model", start=FIRST, end=LAST, value=START)
picture = pn.bind(lambda d_model: pn.pane.PNG(marked_picture(d_model), width=720), slider)
pn.Column(slider, picture).servable()
