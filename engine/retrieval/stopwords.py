"""Words that ask rather than name, by language; chosen by us from everyday grammar.

A list applies only when the query seems to be in that language, because a stop word of
one is often a content word of another: ``die``, ``war``, ``man``, ``son``, ``car``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from engine.store.folding import fold

_ENGLISH = """
a an the this that these those some any each every all both either neither such same own other
i me my mine myself we us our ours you your yours he him his she her hers it its itself they them
their theirs who whom whose which what when where why how am is are was were be been being do does
did doing done have has had having will would shall should can could may might must ought of in on
at by for with from to into onto upon about above below between under over through during before
after against across along around near off out up down and or but nor if then than because as while
until though although so not no yes too very also just only even ever again once here there now
today yesterday tomorrow recently lately earlier later ago please tell show give get find us let
thing things stuff something anything everything nothing someone anyone everyone s t d ll re ve m
don doesn didn isn aren wasn weren won wouldn couldn shouldn haven hasn hadn ain
"""

_GERMAN = """
der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner und oder
aber denn sondern ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen mein meine dein
deine sein seine ihre unser unsere euer eure wer wen wem wessen was wann wo wohin woher warum wieso
wie welche welcher welches welchen ist bin bist sind seid war waren wird werden wurde wurden worden
hat habe haben hatte hatten kann können konnte soll sollen sollte muss müssen musste darf will
wollen wollte in im an am auf aus bei beim mit nach seit von vom zu zum zur für gegen ohne um durch
über unter vor hinter zwischen neben als wenn weil dass ob damit nicht nur auch noch schon so sehr
mehr hier da dort jetzt heute gestern morgen bitte alles etwas nichts man sich dieser diese dieses
diesen diesem jeder jede jedes mal doch
"""

_POLISH = """
a i oraz albo lub ale lecz więc bo że żeby aby czy jak jaki jaka jakie jakich jakim kto kogo komu
kim co czego czemu czym kiedy gdzie skąd dokąd dlaczego po ile który która które których którym
którą ja ty on ona ono my wy oni one mnie mi mną ciebie tobie go jego jej nas nam was wam ich im
mój moja moje twój twoja nasz nasza wasz swój swoja ten ta to te tego tej tym tych temu tamten jest
jestem są był była było byli były będzie będą być ma mam mają miał może można trzeba w we na do od
z ze za przez przy pod nad przed dla u o bez między nie tak się też także już jeszcze tylko bardzo
tu tutaj tam teraz dziś dzisiaj wczoraj jutro proszę coś nic wszystko
"""

_SWEDISH = """
och eller men samt att som om när där var vart varför hur vad vem vilken vilket vilka jag du han
hon den det de dem vi ni mig dig honom henne oss er min mitt mina din ditt dina sin sitt sina hans
hennes vår vårt våra en ett är vara varit blev blir bli har hade ha kan kunde ska skulle måste får
fick vill ville i på av för med till från under över mellan genom utan vid efter före mot hos inte
ja nej så också bara redan än nu idag igår imorgon här detta denna dessa allt något ingenting snälla
sig man mycket
"""

_SPANISH = """
el la los las lo un una unos unas y e o u pero sino porque que qué quien quién quienes cual cuál
cuales cuando cuándo donde dónde como cómo cuanto cuánto yo tú él ella ello nosotros vosotros ellos
ellas usted ustedes me te se le les nos os mi mis tu tus su sus nuestro nuestra es soy eres son era
fue fueron ser estar está están estaba hay ha he han había tiene tener tengo puede hacer hizo de
del a al en con por para sin sobre entre desde hasta hacia no sí ya muy más también sólo solo
este esta esto estos estas ese esa eso esos aquel aquella aquí allí ahora hoy ayer mañana algo nada
todo antes después favor
"""

_PORTUGUESE = """
o a os as um uma uns umas e ou mas porque que quê quem qual quais quando onde como quanto eu tu ele
ela nós vós eles elas você vocês me te se lhe lhes meu minha meus minhas teu tua seu sua nosso nossa
é sou são era foi foram ser estar está estão estava há tem ter tenho tinha pode fazer fez de do da
dos das em no na nos nas num numa com por pelo pela para sem sobre entre desde até não sim já muito
mais também só este esta isto estes estas esse essa isso aquele aquela aqui ali agora hoje ontem
amanhã algo nada tudo antes depois favor ao à
"""

_FRENCH = """
le la les l un une des du de d et ou mais donc car ni que qu qui quoi quel quelle quels quelles
quand où comment pourquoi combien je tu il elle on nous vous ils elles me te se lui leur leurs moi
toi mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces c est suis es sont était
étaient être été a ai as avons avez ont avait avoir peut faire fait dans en sur sous avec sans pour
par chez entre vers depuis ne n pas plus non oui très aussi déjà si y ici là maintenant hier demain
aujourd hui quelque chose rien tout j m t s
"""

STOP_WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(fold(words).split())
    for name, words in {
        "en": _ENGLISH,
        "de": _GERMAN,
        "pl": _POLISH,
        "sv": _SWEDISH,
        "es": _SPANISH,
        "pt": _PORTUGUESE,
        "fr": _FRENCH,
    }.items()
}

_CJK = """
什么 怎么 怎样 如何 为何 哪里 哪个 哪些 多少 是否 可以 我们 你们 他们 这个 那个 这些 那些
因为 所以 如果 但是 或者 以及 一个 没有 不是 的是 是什 为什 了吗 的吗 吗 呢 吧 啊 的 了 是 在 我
です ます した して する ある いる から まで こと もの これ それ あれ どこ いつ なぜ では には
ました とは のは ので のが のに すか か は が を に で と の も へ
은 는 이 가 을 를 의 에 도 만 에서 으로 하는 있는 어디 언제 무엇 누구 어떻 떻게
"""

CJK_STOP = frozenset(_CJK.split())
"""Pairs and single characters of Chinese, Japanese and Korean that carry grammar only."""

_ENOUGH = 2


def content_words(words: Sequence[str]) -> list[str]:
    """The words of a query that name something; maybe none. Words come folded.

    Words are compared in lower case. Another list than the English one applies only
    when at least two of its words stand in the query, and more than of English.
    """
    stop = STOP_WORDS[_language({word.lower() for word in words})]
    return [word for word in words if word.lower() not in stop]


def _language(words: Set[str]) -> str:
    counts = {name: sum(word in stop for word in words) for name, stop in STOP_WORDS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= _ENOUGH and counts[best] > counts["en"] else "en"
