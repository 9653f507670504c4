"""Words that matter for finding names: titles, dates, units, kinds of places and bodies."""

from __future__ import annotations

TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir madam councillor cllr alderman president minister "
    "chancellor senator sen rep congressman congresswoman congressperson governor gov mayor "
    "mayoress sheriff ambassador rev reverend archbishop cardinal monsignor rabbi imam ayatollah "
    "sgt sergeant corporal cpl lieutenant lt capt col colonel commander cmdr brigadier inspector "
    "detective superintendent constable chairman chairwoman chairperson spokesman spokeswoman "
    "spokesperson coach manager goalkeeper striker midfielder defender captain secretary-general "
    "lawyer attorney engineer founder doctor officer commissioner mp md mep editor author actor "
    "actress singer comedian presenter umpire referee".split()
)
"""They stand before a name and are not part of it."""

DOUBTFUL_TITLES = frozenset(
    "premier general gen major king queen prince princess pope lord lady dame judge justice chief "
    "bishop father sister brother secretary director marshal admiral duke duchess baron baroness "
    "earl count countess sheikh emperor executive representative congress deputy".split()
)
"""They are titles before a person's name only: General Powell, but General Motors."""

TITLE_MODIFIERS = frozenset(
    "prime vice deputy former ex acting assistant associate senior junior foreign home interior "
    "defence defense finance health education justice transport culture environment treasury "
    "attorney lord lady managing executive general late then right honourable honorable first "
    "second lieutenant detective police fire press state united opposition shadow staff sergeant "
    "major wing rear field head lead principal".split()
)
"""They stand before a title: Prime Minister, Deputy Mayor."""

PARTICLES = frozenset(
    "de la le van von der den ter bin ibn bint al el du da di del della dos das y af zu".split()
)
"""They join the parts of a name."""

BODIES = frozenset(
    "academy agency alliance army assembly association authority bank battle bay board bureau "
    "cape castle cathedral centre center chamber church city club college commission committee "
    "company confederation conference congress council county court department district division "
    "duchy duke earl embassy faculty federation fort foundation fund gulf house institute "
    "institution isle island islands kingdom lake league library ministry mount mountain museum "
    "office order organisation organization palace parliament party port prince princess province "
    "queen king region republic river royal school sea secretary senate society state states "
    "strait synod temple tower town treaty tribunal trust union university valley village war "
    "hospital festival airport museum lord lords knights sons daughters".split()
)
"""What `of` or `of the` may follow inside a name: Bank of England, Church of the Nativity."""

PLACE_KINDS = frozenset(
    "lake mount mountain river storm hurricane typhoon cyclone cape fort port bay saint st mt san "
    "santa los las new north south east west northern southern eastern western upper lower great "
    "little camp castle isle point loch glen hotel operation project team radio real inter "
    "sporting royal national".split()
)
"""What may begin a name at the head of a sentence when a capital follows."""

LEFT_OUT = frozenset(
    "river lake mount mountain city town county village province state region island district inc "
    "ltd llc plc co corp corporation company group holdings limited fc afc cf club team jr sr "
    "university airport street road avenue party hospital school festival area".split()
)
"""Kinds of things that may be named or not: Hallam (airport), Kestrel (Group)."""

LEGAL_FORMS = frozenset("inc ltd llc plc co corp corporation group holdings limited jr sr".split())

ABBREVIATED = frozenset(
    "st mt ft jr sr inc co corp ltd bros dr mr mrs ms prof rev gen sen rep gov capt col lt sgt "
    "cpl cmdr hon pres messrs".split()
)
"""Abbreviations whose full stop ends neither sentence nor name."""

DATES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december mon tue tues wed thu thur thurs fri sat "
    "sun jan feb mar apr jun jul aug sep sept oct nov dec".split()
)

UNITS = frozenset(
    "C F K V A W J N Pa Hz kHz MHz GHz THz kB KB MB GB TB PB Mb Gb Mbps Gbps kW KW MW GW TW kWh "
    "MWh GWh TWh KM CM MM KG ML BN M B K AM PM GMT BST CET EST PST EDT PDT UTC AD BC BCE CE".split()
)
"""What follows a number as a unit, or belongs to a time of day."""

COMMON_ACRONYMS = frozenset(
    "ceo ceos cfo coo cto cio mp mps tv tvs dvd dvds cd cds dna rna gdp gps pc pcs phd mba am pm "
    "gmt bst cet est edt pst pdt utc ok id ids vip vips suv suvs atm atms cctv cv it hr pr ai vat "
    "faq faqs pdf url usb led lcd diy rip vs aka asap mvp mvps pe hgv er icu iq ufo ufos ad bc "
    "pga rpm mph hd ii iii iv vi vii viii ix xi xii ipo ipos ppe pin bbq dj djs xl xxl".split()
)
"""Acronyms that are rather words than names."""

GIVEN_NAMES = frozenset(
    "amber angel april art ash august autumn basil belle bernard beryl bill bob brook brooke bud "
    "buck carol chance charity chase chip christian chuck clay cliff clover coral crystal daisy "
    "dale dawn dean destiny dick dolly don dot drew duke earl earnest ebony eve faith fay fern "
    "flora frank gale gay gene ginger glen gloria grace grant guy hank harmony harry hazel heath "
    "heather herb holly honey hope hunter iris ivory ivy jack jade jasmine jay jean jenny jerry "
    "jewel jimmy john johnny josh joy june kay kelvin ken kit lance laurel lee leo lily lloyd lou "
    "major mark marsh marina martin mason matt maverick max may melody mercy merry mike miles "
    "misty morgan myrtle nick norm olive opal pansy pat pearl peg penny pepper peter petunia "
    "piers pierce polly poppy prince queen rain randy ray red reed rich river rob robin rock "
    "rocky rod roger roman rose rosemary rosy rowan ruby russet rusty ruth sage sally sandy "
    "savannah scarlet scout serena shelly sierra skip sky sonny spencer stan star stella sterling "
    "stew stone storm sue summer teddy temple terry tiffany timothy tom tommy tony tracy troy "
    "tyler victor viola violet virginia wade wally ward warren wayne will willow winter woody "
    "zinnia dev".split()
)
"""Given names that are ordinary words too."""
