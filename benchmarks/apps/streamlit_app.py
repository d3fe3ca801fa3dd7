"""One slider and one picture in Streamlit: `streamlit run streamlit_app.py`."""

import streamlit as st
from picture import FIRST, LAST, START, marked_picture

d_model = st.slider("d_model", FIRST, LAST, START)
st.image(marked_picture(d_model), output_format="PNG", width="content")
