"""The reasons behind the figures: pages described as data, live on the current scenario. Imported when first used."""
