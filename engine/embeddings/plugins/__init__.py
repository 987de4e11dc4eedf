'''Further embedding providers from other distributions.

A distribution offers a provider through an entry point of the group
``memlens.embedding_providers``; its name is what ``memorySearch.provider`` (or the
``api`` of a ``models.providers`` entry) says. In ``pyproject.toml``:

    [project.entry-points."memlens.embedding_providers"]
    acme = "acme_embeddings:AcmeProvider"

and in ``acme_embeddings.py``:

    class AcmeProvider:
        """Vectors of the Acme service."""

        remote = True                     # texts leave this machine: memlens asks first
        default_model = "acme-small"      # used when no model is configured
        base_url = "https://api.acme.example/v1"
        key_variables = ("ACME_API_KEY",)
        needs_key = True

        def open(self, request):          # a PluginRequest; may be slow, may raise
            return AcmeClient(request.base_url, request.key, request.model)

    class AcmeClient:
        def embed(self, texts, purpose):  # purpose is "document" or "query"
            return [[...], ...]           # one list of numbers a text, in their order

        def close(self):                  # optional
            ...

Only ``open`` is needed; see ``contract.EmbeddingPlugin`` for everything that may be
declared. Nothing of a plug-in is loaded before a configuration names it. memlens
normalises the vectors, refuses unusable ones, packs and cuts texts by the declared
limits, looks keys up in its own order and hands a key only to an address that it belongs
to. Whatever a plug-in raises becomes a provider error that names it.
'''
