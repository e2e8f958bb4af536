"""Models: their dimensions, and how many parameters these make, offline and without torch or transformers.

A file is read (`read`), its keys are understood (`config`, `fields`, `guess`, `heads`, `params_json`) by its family's
row (`families`, composed of `blocks`, in the vocabulary of `layout`), which makes an `Architecture` (`architecture`,
`assemble`). That one expands to parameter tensors (`expand`), whose sizes remember their letters (`sizes`), and is
counted in terms (`count`). Its seven numbers can be changed (`edit`). `catalogue` has models by name.
"""
