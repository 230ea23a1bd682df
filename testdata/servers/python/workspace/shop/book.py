from shop.pricing import Cents, Priced


class Book(Priced):
    """Sold at the price on its cover."""

    def __init__(self, cover: Cents) -> None:
        self.cover = cover

    def price(self) -> Cents:
        return self.cover
