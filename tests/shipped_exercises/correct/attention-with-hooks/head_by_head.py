def attention(x, w_q, w_k, w_v, n_heads, encoding, causal=False):
    import numpy as np

    hooks = ENCODINGS[encoding]  # noqa: F821
    batch, length, d_model = x.shape
    positions = np.arange(length)
    x = hooks.on_embeddings(x, positions)
    size = d_model // n_heads
    q, k, v = np.zeros((3, batch, n_heads, length, size))
    for head in range(n_heads):
        columns = slice(head * size, (head + 1) * size)
        q[:, head], k[:, head], v[:, head] = (x @ w[:, columns] for w in (w_q, w_k, w_v))
    q, k = hooks.on_queries_and_keys(q, k, positions, positions)
    scores = np.einsum("bhid,bhjd->bhij", q, k) * size**-0.5
    scores = hooks.on_scores(scores, q, k, positions, positions)
    if causal:
        scores = scores + np.triu(np.full((length, length), -np.inf), 1)
    weights = np.exp(scores)
    weights /= weights.sum(-1)[..., None]
    mixed = hooks.on_values(np.einsum("bhij,bhjd->bhid", weights, v), weights, positions, positions)
    return np.concatenate([mixed[:, head] for head in range(n_heads)], axis=-1)
