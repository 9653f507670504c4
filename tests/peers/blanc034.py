"""The authors' package, blanc 0.3.4, made to run today: `blanc034.load()`.

It pins torch < 2, so it is installed with `pip install --no-deps blanc==0.3.4`, and it asks for
classes that transformers no longer has and for data of NLTK that must be downloaded. What stands
in for them:

- AdamW: `OldAdamW`, the update that transformers had until version 4;
- Transfo-XL and other nets of its `Shannon`, which we don't use: nothing at all;
- NLTK's punkt: our sentence splitter, so that both sides see the same sentences;
- NLTK's word_tokenize: NLTK's own word tokenizer on those sentences, which needs no data;
- NLTK's part-of-speech tags: the same one for every word;
- `BertForMaskedLM`, `BertModel`, `BertTokenizer`: the classes themselves for a BERT, and for
  the embedded DistilBERT one that answers as they do.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
import transformers
from nltk.tokenize import NLTKWordTokenizer

from tricolore.models import embedded, loading
from tricolore.text.sentences import sentences

EMBEDDED = "embedded"
_GONE = ("AdamW", "TransfoXLLMHeadModel", "TransfoXLTokenizer")
COMMON = """that with from said have this were they been will their when more after would people
who year time first police other city state government company country officials before during
could about which there also over some years into week home made last three million""".split()
"""Words that a random BERT is made to like, so that it is right now and then."""


class OldAdamW(torch.optim.Optimizer):
    """Adam with decoupled weight decay as transformers 4 had it.

    Unlike torch's, the decay comes after the step, and eps is added before the bias correction.
    """

    def __init__(self, params: Any, lr: float = 1e-3, eps: float = 1e-6, weight_decay: float = 0.0):
        super().__init__(params, {"lr": lr, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        first, second = 0.9, 0.999
        for group in self.param_groups:
            for weights in group["params"]:
                if weights.grad is None:
                    continue
                kept = self.state[weights]
                if not kept:
                    kept["step"] = 0
                    kept["m"] = torch.zeros_like(weights)
                    kept["v"] = torch.zeros_like(weights)
                kept["step"] += 1
                kept["m"].mul_(first).add_(weights.grad, alpha=1 - first)
                kept["v"].mul_(second).addcmul_(weights.grad, weights.grad, value=1 - second)
                t = kept["step"]
                size = group["lr"] * (1 - second**t) ** 0.5 / (1 - first**t)
                weights.addcdiv_(kept["m"], kept["v"].sqrt().add_(group["eps"]), value=-size)
                weights.add_(weights, alpha=-group["lr"] * group["weight_decay"])


class DistilAsBert(transformers.DistilBertForMaskedLM):
    """A DistilBERT that is called, and answers, like the BERT of old: tuples, token types."""

    hidden_states = False

    def forward(  # type: ignore[override]
        self,
        input_ids: Any,
        attention_mask: Any = None,
        token_type_ids: Any = None,
        labels: Any = None,
    ) -> Any:
        del token_type_ids  # it has none
        found = super().forward(
            input_ids=input_ids,
            attention_mask=attention_mask,
            labels=labels,
            output_hidden_states=self.hidden_states,
            return_dict=True,
        )
        return found.to_tuple()


class MaskedNet:
    """What `BertForMaskedLM` is to the package."""

    @staticmethod
    def from_pretrained(name: str, **settings: Any) -> Any:
        if name != EMBEDDED:
            return transformers.BertForMaskedLM.from_pretrained(name, **settings)
        module = loading._embedded("AutoModelForMaskedLM", "").module
        module.__class__ = DistilAsBert
        module.hidden_states = settings.get("output_hidden_states", False)
        return module


class RawNet:
    """What `BertModel` is to the package: it takes the word embeddings from it."""

    @staticmethod
    def from_pretrained(name: str) -> Any:
        if name != EMBEDDED:
            return transformers.BertModel.from_pretrained(name)
        return loading._embedded("AutoModelForMaskedLM", "").module


class Tokenizer:
    """What `BertTokenizer` is to the package."""

    @staticmethod
    def from_pretrained(name: str) -> Any:
        if name != EMBEDDED:
            return transformers.BertTokenizer.from_pretrained(name)
        return loading._embedded("AutoModelForMaskedLM", "").tokenizer


def word_tokenize(text: str) -> list[str]:
    """NLTK's function of that name, with our sentences in place of punkt's."""
    cutter = NLTKWordTokenizer()
    return [word for sentence in sentences(text) for word in cutter.tokenize(sentence)]


def pos_tag(words: list[str]) -> list[tuple[str, str]]:
    """Every word is a noun."""
    return [(word, "NN") for word in words]


def load() -> ModuleType:
    """The package, ready: `load().BlancHelp("embedded")`; skips the test if it isn't installed."""
    import pytest

    if importlib.util.find_spec("blanc") is None:
        pytest.skip("no blanc 0.3.4 here: pip install --no-deps blanc==0.3.4 tqdm")
    with _stand_ins():
        package = importlib.import_module("blanc")
    importlib.import_module("scipy.stats")  # the package uses it without importing it
    assert package.__version__ == "0.3.4"
    blanc, estime = package.blanc, package.estime
    blanc.sent_tokenize = sentences
    blanc.BertForMaskedLM = estime.BertForMaskedLM = MaskedNet
    blanc.BertTokenizer = estime.BertTokenizer = Tokenizer
    estime.BertModel = RawNet
    estime.word_tokenize = word_tokenize
    estime.nltk = SimpleNamespace(pos_tag=pos_tag)
    return package


@contextmanager
def _stand_ins() -> Iterator[None]:
    """For the time of the import, names that transformers no longer has."""
    _ = transformers.BertForMaskedLM  # transformers replaces itself when it loads a first model
    library = sys.modules["transformers"]
    gone = [name for name in _GONE if not hasattr(library, name)]
    for name in gone:
        setattr(library, name, OldAdamW if name == "AdamW" else object)
    try:
        yield
    finally:
        for name in gone:
            delattr(library, name)


def random_bert(
    directory: Path,
    *,
    layers: int = 2,
    width: int = 128,
    positions: int = 512,
    lower: bool = False,
    mixing: float = 1.0,
    seed: int = 1,
) -> str:
    """A random BERT with the vocabulary of the embedded model, saved; its path.

    It has no dropout, so that tuning it is exact too. A bias to `COMMON` words makes it right
    now and then: without that, all counts but S00 would be 0. `mixing` is how much of the mean of
    all words each layer adds: much of it, many times, makes all places alike, unlike a real net.
    """
    source = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(embedded.directory() / "tokenizer.json")
    )
    vocabulary = dict(sorted(source.get_vocab().items(), key=lambda entry: entry[1]))
    tokenizer = transformers.BertTokenizer(
        vocab=vocabulary, do_lower_case=lower, model_max_length=positions
    )
    tokenizer.save_pretrained(directory)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=max(1, width // 64) if width >= 128 else 4,
        intermediate_size=4 * width,
        max_position_embeddings=positions,
        pad_token_id=vocabulary["[PAD]"],
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=1 / width**0.5,
    )
    torch.manual_seed(seed)
    net = transformers.BertForMaskedLM(config)
    with torch.no_grad():
        words = net.bert.embeddings.word_embeddings.weight
        words[vocabulary["[MASK]"]] = 0
        net.bert.embeddings.token_type_embeddings.weight *= 0
        net.bert.embeddings.position_embeddings.weight *= 0.3
        # Every layer adds the mean of all words, roughly: what was read is likely to be guessed.
        for layer in net.bert.encoder.layer:
            for part in (layer.intermediate, layer.output, layer.attention.self.query):
                getattr(part, "dense", part).weight *= 0.5
            layer.attention.self.value.weight.mul_(0.3).add_(mixing * torch.eye(width))
            layer.attention.output.dense.weight.mul_(0.3).add_(2 * torch.eye(width))
        net.cls.predictions.transform.dense.weight.mul_(0.3).add_(2 * torch.eye(width))
        liked = [vocabulary[word] for word in COMMON if word in vocabulary]
        short = [token for entry, token in vocabulary.items() if len(entry) < 4]
        net.cls.predictions.bias[liked] += 2.0
        net.cls.predictions.bias[short] -= 9.0
    net.save_pretrained(directory)
    return str(directory)
