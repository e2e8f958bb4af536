"""Every input, once, in the order in which they are spoken: what is trained, how, and on what.

The three parts build upon each other, so that a scenario is one flat record of all of them.
"""
