"""The student: a vector for each entry, trained so that the sum over a text's words points where the teacher's vector does."""

import numpy as np
from scipy.sparse import csr_matrix

# Weights of a tool's fields; each field's sum has length 1 before.
FIELD_WEIGHTS = {"name": 1.0, "title": 0.5, "description": 1.0, "parameters": 0.3, "parameter_descriptions": 0.3}


def bags(texts, lookup, size):
    """How often each entry stands in each text, a text being a list of words."""
    rows, columns = [], []
    for row, text in enumerate(texts):
        for word in text:
            for entry in lookup(word):
                rows.append(row)
                columns.append(entry)
    ones = np.ones(len(rows), np.float32)
    return csr_matrix((ones, (rows, columns)), (len(texts), size))


def unit(x):
    """Rows of length 1, and what their lengths were."""
    length = np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-6)
    return x / length, length


def unit_back(gradient, u, length):
    return (gradient - (gradient * u).sum(1, keepdims=True) * u) / length


class Adam:
    def __init__(self, like):
        self.m, self.v, self.t = np.zeros_like(like), np.zeros_like(like), 0

    def step(self, x, gradient, rate):
        self.t += 1
        self.m += 0.1 * (gradient - self.m)
        self.v += 0.01 * (gradient * gradient - self.v)
        x -= rate / (1 - 0.9**self.t) * self.m / (np.sqrt(self.v / (1 - 0.99**self.t)) + 1e-8)


class Regression:
    """1 - cosine of the sum of a text's words and the teacher's vector of it."""

    def __init__(self, bags, targets):
        self.bags, self.targets = bags, targets

    def __len__(self):
        return self.bags.shape[0]

    def __call__(self, vectors, rows):
        bag = self.bags[rows]
        u, length = unit(bag @ vectors)
        target = self.targets[rows]
        loss = 1 - (u * target).sum(1).mean()
        return loss, bag.T @ unit_back(-target / len(rows), u, length)


class Tools:
    """Vectors of tools: the weighted sum of their fields, each of length 1."""

    def __init__(self, by_field, likeness):
        self.by_field, self.likeness = by_field, likeness

    def __call__(self, vectors, rows):
        """The tools of `rows`, and what makes the gradient of the entries from theirs."""
        parts = []
        for name, weight in FIELD_WEIGHTS.items():
            bag = self.by_field[name][rows]
            parts.append((weight, bag, *unit(bag @ vectors)))
        tools, tools_length = unit(sum(weight * u for weight, _, u, _ in parts))

        def back(gradient):
            gradient = unit_back(gradient, tools, tools_length)
            return sum(bag.T @ unit_back(weight * gradient, u, length) for weight, bag, u, length in parts)

        return tools, back


class Pairs:
    """Of each pair, the request must be nearer to its tool than to the other tools of the batch."""

    def __init__(self, requests, places, tools, temperature):
        self.requests, self.places, self.tools, self.temperature = requests, np.asarray(places), tools, temperature

    def __len__(self):
        return len(self.places)

    def __call__(self, vectors, rows):
        places = self.places[rows]
        bag = self.requests[rows]
        q, q_length = unit(bag @ vectors)
        tools, back = self.tools(vectors, places)
        logits = q @ tools.T / self.temperature
        # Tools that say nearly the same are no negatives.
        likeness = self.tools.likeness[places]
        alike = likeness @ likeness.T > 0.8
        np.fill_diagonal(alike, False)
        logits[alike] = -30
        logits -= logits.max(1, keepdims=True)
        p = np.exp(logits)
        p /= p.sum(1, keepdims=True)
        loss = -np.log(np.maximum(np.diag(p), 1e-9)).mean()
        p[np.diag_indices_from(p)] -= 1
        p /= len(rows) * self.temperature
        return loss, bag.T @ unit_back(p @ tools, q, q_length) + back(p.T @ q)


class Strangers:
    """Sentences that no tool answers must be far from all tools: cosines above `margin` cost their square."""

    def __init__(self, sentences, likeness, tools, margin=0.15, seed=0):
        self.sentences, self.likeness, self.tools, self.margin = sentences, likeness, tools, margin
        self.random = np.random.default_rng(seed)

    def __len__(self):
        return self.sentences.shape[0]

    def __call__(self, vectors, rows):
        bag = self.sentences[rows]
        q, q_length = unit(bag @ vectors)
        places = self.random.integers(0, len(self.tools.likeness), len(rows))
        tools, back = self.tools(vectors, places)
        above = np.maximum(q @ tools.T - self.margin, 0)
        above[self.likeness[rows] @ self.tools.likeness[places].T > 0.3] = 0
        gradient = 2 * above / len(rows)
        return (above * above).sum(1).mean(), bag.T @ unit_back(gradient @ tools, q, q_length) + back(gradient.T @ q)


def train(vectors, tasks, epochs, batch, rate, seed, log=print):
    """Adam over batches; `tasks` are `(task, weight)`, and the first says how long an epoch is."""
    random = np.random.default_rng(seed)
    adam = Adam(vectors)
    steps = epochs * (len(tasks[0][0]) // batch)
    orders = [np.zeros(0, int) for _ in tasks]
    losses = np.zeros(len(tasks))
    for step in range(steps):
        gradient = 0
        for at, (task, weight) in enumerate(tasks):
            if len(orders[at]) < batch:
                orders[at] = random.permutation(len(task))
            rows, orders[at] = orders[at][:batch], orders[at][batch:]
            loss, g = task(vectors, rows)
            losses[at] += (loss - losses[at]) / min(step + 1, 100)
            gradient = gradient + weight * g
        adam.step(vectors, gradient, rate * min(1, (step + 1) / 50) * (1 - step / steps))
        if step % 200 == 199:
            log(f"step {step + 1} of {steps}: " + ", ".join(f"{loss:.4f}" for loss in losses))
    return vectors
