from shop.cart import Cart  # This file begins with a byte order mark.
from shop.pricing import Cents, total


def first(cart: Cart) -> Cents:
    """The price of the first book."""
    return ("📚 本", cart.books[0].price())[1]


def last(cart: Cart) -> str:
    return "total " + str(total(cart.books) + cart.total())
