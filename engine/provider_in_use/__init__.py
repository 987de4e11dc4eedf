"""The embedding provider of one memory, from a configuration to what it says of itself."""

from engine.provider_in_use.in_use import ProviderInUse
from engine.provider_in_use.making import provider_in_use

__all__ = ["ProviderInUse", "provider_in_use"]
