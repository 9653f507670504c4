"""Making the embedded masked language model from published parts.

The steps, in order, each a module: `extract` reads the encoder back from an int8 ONNX file,
`corpus` and `sequences` make training batches, `network` gives the encoder a head, `head` fits
it on frozen features, `train` unfreezes the top layers, `heldout` measures, `export` packs.
`python -m tools.embedded --help` runs them.
"""
