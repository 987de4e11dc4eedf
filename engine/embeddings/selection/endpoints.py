"""Where a provider is reached, with which key, or why it cannot be."""

from __future__ import annotations

from collections.abc import Mapping

from engine.embeddings.remote.settings import RemoteSettings, WireSettings
from engine.embeddings.selection.address import Address, address_of
from engine.embeddings.selection.catalogue import COMPATIBLE, OPENAI
from engine.embeddings.selection.input_types import input_types
from engine.embeddings.selection.provider_request import ProviderRequest
from engine.embeddings.selection.ready import NotReady
from engine.embeddings.selection.wanted import Wanted, wanted
from engine.errors import ProviderError
from engine.net.credentials import FoundKey, KeyQuestion, KeyRing, KeySetting, NoKey
from engine.net.host_guard import is_loopback


class EndpointFinder:
    """Puts address, key, headers and model together for one request."""

    def __init__(self, request: ProviderRequest, keys: KeyRing) -> None:
        self._request = request
        self._keys = keys

    def find(self, provider: str) -> RemoteSettings | NotReady:
        """The settings of a provider of the catalogue or a ``models.providers`` id."""
        target = wanted(self._request, provider, self._keys.environ)
        return target if isinstance(target, NotReady) else self.made(target)

    def made(self, target: Wanted) -> RemoteSettings | NotReady:
        """The settings of a provider that is described already."""
        try:
            return self._found(target)
        except ProviderError as error:
            return NotReady(error.message, error.hint)

    def _found(self, target: Wanted) -> RemoteSettings | NotReady:
        address = address_of(target, self._request)
        model = target.model(self._request, at_home=address is not None and address.at_home)
        if address is None or not model:
            return _incomplete(target, model, address)
        if problem := target.known.unfit(model):
            return NotReady(problem, "Set another model.")
        headers = self._headers(target, address)
        if isinstance(headers, NotReady):
            return headers
        key = self._key(target, address)
        if isinstance(key, FoundKey):
            return self._settings(target, address, key, key.source, headers, model)
        place = self._without_key(target, address, headers, key)
        if isinstance(place, NotReady):
            return place
        return self._settings(target, address, None, place, headers, model)

    def _key(self, target: Wanted, address: Address) -> FoundKey | NoKey:
        entry = target.entry
        question = KeyQuestion(
            target.auth_id,
            target.variables,
            remote_key=self._request.remote.api_key,
            entry_name=target.entry_name if entry.api_key is not None else "",
            entry_key=entry.api_key,
            own_host=address.own,
            entry_host=address.entry,
            entry_first=entry.key_first,
        )
        return self._keys.find(question)

    def _without_key(
        self, target: Wanted, address: Address, headers: Mapping[str, str], key: NoKey
    ) -> NotReady | str | None:
        """Where else the proof comes from, None where none is needed, or what is in the way."""
        known = target.known
        if known.key != "required" and self._request.remote.api_key is not None:
            return NotReady(f"no key: {key.reason}", "Mend remote.apiKey.")
        if known.key == "optional" or (
            {"authorization", known.key_header} & {name.lower() for name in headers}
        ):
            return None
        proof = known.proof(self._keys.environ) if self._trusts(target, address) else NoKey(())
        if isinstance(proof, str):
            return proof
        reasons = NoKey(proof.reasons or key.reasons).reason
        return NotReady(f"no key: {reasons}", _key_hint(target, address))

    def _trusts(self, target: Wanted, address: Address) -> bool:
        """Whether values of the environment may go there."""
        return address.own and target.id == target.known.id

    def _headers(self, target: Wanted, address: Address) -> Mapping[str, str] | NotReady:
        """Extra headers, those of ``remote`` over the entry's, which stay with its own host."""
        named: dict[str, tuple[str, KeySetting]] = {}
        if address.entry:
            named |= {name.lower(): (name, value) for name, value in target.entry.headers.items()}
        remote = self._request.remote.headers
        named |= {name.lower(): (name, value) for name, value in remote.items()}
        headers = {}
        for name, setting in named.values():
            value = self._keys.read_header(setting, f"header {name}")
            if isinstance(value, NoKey):
                return NotReady(value.reason, "Mend the extra headers.")
            headers[name] = value
        return headers

    def _settings(
        self,
        target: Wanted,
        address: Address,
        found: FoundKey | None,
        place: str | None,
        headers: Mapping[str, str],
        model: str,
    ) -> RemoteSettings:
        request, known = self._request, target.known
        types = input_types(known, request, at_home=address.at_home)
        keyless = found is None and not headers and known.key == "optional"
        return RemoteSettings(
            provider=target.id,
            base_url=address.base_url,
            wire=WireSettings(model, request.dimensions, known.base64 and address.at_home),
            key=found.secret if found else None,
            key_source=place,
            key_header="authorization" if found and found.bearer else known.key_header,
            variables=(
                self._keys.handed_on(known.passed_on) if self._trusts(target, address) else {}
            ),
            headers=headers,
            query_input_type=types.query,
            document_input_type=types.document,
            query_seconds=known.query_seconds,
            index_seconds=request.index_seconds or known.index_seconds,
            concurrency=request.concurrency or known.concurrency,
            limits=known.limits(model),
            adapter=known.adapter,
            local=keyless and is_loopback(address.base_url) and not known.passes_on(model),
            note=" ".join(filter(None, (known.remark(model), types.note))),
        )


def _incomplete(target: Wanted, model: str, address: Address | None) -> NotReady:
    named = target.id == target.entry_name
    place = f"models.providers.{target.id}.baseUrl" if named else "remote.baseUrl"
    missing = [name for name, there in (("model", model), (place, address)) if not there]
    hint = f"Set {' and '.join(missing)}."
    if named and not model:
        hint += f" A model stands beside the provider, or in models.providers.{target.id}.models."
    return NotReady(f"{target.id} needs {' and '.join(missing)}", hint)


def _key_hint(target: Wanted, address: Address) -> str:
    if address.own:
        return f"Set {' or '.join((*target.variables[:1], 'remote.apiKey'))}."
    hint = "Set remote.apiKey for this address."
    if target.known.id == OPENAI.id:
        hint += f" A server without keys is reached with the provider {COMPATIBLE.id}."
    return hint
