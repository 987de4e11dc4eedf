"""Words that the originals pass over when they take keywords out of a question.

Which words those are was measured word by word (golden ``keywords.json``), and where the
measurement is silent our own choice stands. All languages count at once, unlike in
``stopwords``: the originals do not ask in which one a question is.
"""

from __future__ import annotations

_ENGLISH = """
a an the this that these those i me my we us our you your he him she it they them is am are was
were be been being have has had do does did will would can could should may might of in on at to
for from with by about into through during before after above below between under over and or but
if then as because while no so what which who when where why how now just today yesterday tomorrow
earlier later recently ago thing things stuff something anything everything nothing please help
find show get give tell
"""

_SPANISH = """
el la los las un una unos unas este esta ese esa yo me mi tu tus nosotros usted ustedes ellos ellas
de del a en con por para sobre entre y o pero si no porque como cómo que qué cuando cuándo donde
dónde es son fue fueron ser estar haber tener hacer ayer hoy mañana ahora antes después despues
recientemente favor ayuda
"""

_PORTUGUESE = """
o a os as um uma uns umas este esta esse essa eu me meu minha nos nós você vocês ele ela eles elas
de do da em no na com por para sobre entre e ou mas se porque como que quê quando onde é são foi
foram ser estar ter fazer ontem hoje amanhã agora antes depois favor ajuda
"""

_ARABIC = """
ال و أو لكن ثم بل أنا نحن هو هي هم هذا هذه ذلك تلك هنا هناك من إلى الى في على عن مع بين كان كانت
يكون أمس بالأمس اليوم غدا الآن قبل بعد مؤخرا لماذا كيف ماذا متى أين هل
"""

_CHINESE = """
我 你 您 他 她 它 这 那 的 了 着 过 得 地 吗 呢 吧 啊 是 有 在 被 把 给 让 用 到 去 来 做 说 看 找
想 要 能 会 和 与 或 但 而 也 都 就 还 又 再 请 帮 前 今 后
我们 你们 他们 这个 那个 什么 哪个 哪些 怎么 为什么 可以 因为 所以 如果 但是 之前 以前 之后
昨天 今天 明天 最近 刚才 东西 事情 告诉
"""

_JAPANESE = """
これ それ あれ この その あの ここ そこ する した して です ます いる ある なる できる こと もの
ため そして しかし また でも から まで より だけ なぜ どう いつ どこ 何 誰 今 前 後 昨日 今日 明日
最近
"""

_KOREAN = """
은 는 이 가 을 를 의 에 에서 로 으로 와 과 도 만 까지 부터 나 나는 내가 너 우리 우리는 그 이것
저것 그것 여기 거기 있다 없다 하다 되다 것 수 때 잘 더 또 매우 그리고 그래서 왜 어떻게 뭐 무엇
언제 어디 누구 어제 오늘 내일 최근 지금 제발
"""

PASSED_OVER = frozenset(
    " ".join((_ENGLISH, _SPANISH, _PORTUGUESE, _ARABIC, _CHINESE, _JAPANESE, _KOREAN)).split()
)
"""All of them, in lower case."""
