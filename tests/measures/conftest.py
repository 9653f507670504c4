"""Models that several tests of measures ask."""

from __future__ import annotations

from typing import Any

import pytest

from tests.measures.bridge_texts import SOURCE, SUMMARY
from tests.measures.first_word import FirstWord
from tricolore.measures import neural
from tricolore.models.masked_lm import MaskedLM
from tricolore.models.queries import Query

WORDS = """the The a in of was and . , dog cat bird fish Paris London Rome Berlin met slept ate saw
old new king queen went to home city river = [ ] MASK Met ##s ##ing ##er run Run walk""".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT of three layers that knows a few words and reads 64 tokens."""
    import torch
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    directory = tmp_path_factory.mktemp("tiny")
    vocabulary = {word: at for at, word in enumerate(SPECIAL + WORDS)}
    BertTokenizer(vocab=vocabulary, do_lower_case=False, model_max_length=64).save_pretrained(
        directory
    )
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
        pad_token_id=0,
        initializer_range=0.3,
    )
    torch.manual_seed(3)
    BertForMaskedLM(config).save_pretrained(directory)
    return str(directory)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[Query], tuple[int, ...], bool]]:
    """What a masked language model is asked for vectors."""
    calls: list[tuple[list[Query], tuple[int, ...], bool]] = []
    vectors = MaskedLM.vectors

    def note(self: MaskedLM, queries: Any, layers: Any, *, double: bool = False) -> Any:
        calls.append((list(queries), tuple(layers), double))
        return vectors(self, queries, layers, double=double)

    monkeypatch.setattr(MaskedLM, "vectors", note)
    return calls


@pytest.fixture
def first_word(monkeypatch: pytest.MonkeyPatch) -> FirstWord:
    lm = FirstWord()
    monkeypatch.setattr(neural, "shared", lambda *_: lm)
    return lm


@pytest.fixture(scope="session")
def small_bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A random BERT that reads 60 tokens, its words those of two texts and as many as make 1100."""
    import torch
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    words = sorted({*SOURCE.replace(".", " .").split(), *SUMMARY.replace(".", "").split()})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    entries = [*special, *words, "re", "##build", "##ing"]
    entries += [f"word{number}" for number in range(1100 - len(entries))]
    vocabulary = {entry: at for at, entry in enumerate(entries)}
    cutter = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    cutter.normalizer = normalizers.BertNormalizer(lowercase=False)
    cutter.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    directory = tmp_path_factory.mktemp("bert")
    names = zip(("pad", "unk", "cls", "sep", "mask"), special, strict=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=cutter,
        model_max_length=60,
        **{f"{name}_token": token for name, token in names},
    ).save_pretrained(directory)
    config = transformers.BertConfig(
        vocab_size=1100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=60,
    )
    torch.manual_seed(1)
    transformers.BertForMaskedLM(config).save_pretrained(directory)
    return str(directory)
