"""What goods cost."""

from abc import ABC, abstractmethod

Cents = int
Amount = Cents


class Priced(ABC):
    """Everything that has a price."""

    @abstractmethod
    def price(self) -> Cents:
        """What one piece costs."""


def total[T: Priced](items: list[T]) -> Cents:
    """Adds up the prices of the items."""
    result = 0
    for item in items:
        result += item.price()
    return result
