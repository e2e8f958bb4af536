"""Cuts the bundled Inter out of the full family: the characters the product writes, with the features it sets.

    python packaging/subset_fonts.py FOLDER

FOLDER holds Inter-Regular, Inter-Medium and Inter-SemiBold as .woff2 or .ttf, as Inter 4.1 releases them (the npm
package inter-ui 4.1.1 has them under web/). Needs fonttools and brotli, which nothing else here does.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parents[1] / "resources" / "fonts"
WEIGHTS = ("Regular", "Medium", "SemiBold")

# Latin-1 and Latin Extended-A, then what the figures and the keys of the menus are written with.
RANGES = ("U+0020-007E", "U+00A0-017F", "U+2070", "U+2074-2079", "U+2080-2089")
CHARACTERS = "ΨΔΣμ−–—‘’“”†…•′″⁄≤≥≈≠±×÷·√∞→←↑↓↔⌈⌉⌊⌋✓✗⌘⇧⌥⌃⏎⌫▲▼▶◀●○\u2009\u202f\u2002\u2003\u2011"
FEATURES = "tnum,pnum,kern,mark,mkmk,calt,case,ccmp,locl,zero,frac,numr,dnom,sups,subs,sinf,ss01,ss02,ss03,ss04"


def draw_floor_and_ceiling(font: Any) -> None:
    """Adds ⌈ ⌉ ⌊ ⌋, which Inter lacks: its square brackets with one arm left off."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = font.getBestCmap()
    for square, ceiling, floor in (("[", "⌈", "⌊"), ("]", "⌉", "⌋")):
        source = names[ord(square)]
        points = list(font["glyf"][source].coordinates)
        x = sorted({point[0] for point in points})
        low, low_arm, high_arm, high = sorted({point[1] for point in points})
        stem, inner, end = x if square == "[" else x[::-1]
        for character, near, arm, far in ((ceiling, high, high_arm, low), (floor, low, low_arm, high)):
            outline = [(stem, far), (stem, near), (end, near), (end, arm), (inner, arm), (inner, far)]
            if (square == "[") != (character == ceiling):
                outline.reverse()  # filled outlines run clockwise
            pen = TTGlyphPen(None)
            pen.moveTo(outline[0])
            for point in outline[1:]:
                pen.lineTo(point)
            pen.closePath()
            name = f"uni{ord(character):04X}"
            font.setGlyphOrder([*font.getGlyphOrder(), name])
            glyph = pen.glyph()
            glyph.recalcBounds(font["glyf"])
            font["glyf"][name] = glyph
            font["hmtx"][name] = (font["hmtx"][source][0], min(x))
            for table in font["cmap"].tables:
                if table.isUnicode():
                    table.cmap[ord(character)] = name


def make_digits_one_width(font: Any) -> None:
    """Makes the ten digits of one width the usual ones, and takes everything else out of `tnum`.

    A figure then keeps its width wherever a font is set, by style sheets too, and its digits can be copied out of a
    PDF, where a glyph that only a feature reaches has no character. Inter's own `tnum` widens spaces, points, commas,
    brackets and hyphens too: right in a table of nothing but figures, and holes in "7.5 GB" or "Llama-3.1-8B".
    """
    table = font["GSUB"].table
    lookups = {
        index for record in table.FeatureList.FeatureRecord if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    }  # fmt: skip
    names = font.getBestCmap()
    usual = {names[ord(digit)]: ord(digit) for digit in "0123456789"}
    wide: dict[int, str] = {}
    for part in (part for index in lookups for part in table.LookupList.Lookup[index].SubTable):
        mapping = getattr(part, "ExtSubTable", part).mapping
        for name in list(mapping):
            if name in usual:
                wide[usual[name]] = mapping[name]
            else:
                del mapping[name]
    for encoding in font["cmap"].tables:
        if encoding.isUnicode():
            encoding.cmap.update(wide)


def main(folder: Path) -> None:
    from fontTools import subset

    FONTS.mkdir(parents=True, exist_ok=True)
    options = subset.Options()
    options.layout_features = FEATURES.split(",")
    options.name_IDs = ["*"]  # without the family's own names Qt cannot tell the weights apart
    options.hinting = False
    unicodes = subset.parse_unicodes(",".join(RANGES)) + [ord(character) for character in CHARACTERS]
    for weight in WEIGHTS:
        source = next(path for ending in ("woff2", "ttf") if (path := folder / f"Inter-{weight}.{ending}").exists())
        font = subset.load_font(str(source), options)
        draw_floor_and_ceiling(font)
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=unicodes)
        cutter.subset(font)
        make_digits_one_width(font)
        options.flavor = None
        subset.save_font(font, str(FONTS / f"Inter-{weight}.ttf"), options)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
