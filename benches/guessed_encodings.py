"""Texts in old encodings: words of 18 languages, in every encoding of Python that has their letters, in three sizes."""

import json
import random

SIZES = [300, 2000, 20000]
ENCODINGS = (
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1257 iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-7 iso8859-9 iso8859-10 "
    "iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic mac-latin2 mac-turkish cp437 cp850 cp852 "
    "cp855 cp857 cp858 cp865 cp866 cp037 cp500 euc-jp shift_jis gbk gb18030 big5 euc-kr johab utf-8 utf-16-le utf-16-be utf-32-le"
).split()
WORDS = {
    "German": "für über schön größer Straße Bücher hören täglich können müssen nächste Größe Tür Öl Ärger weiß heißt das und ist nicht mit von Haus Zeit Jahr wenn aber nur",
    "French": "été déjà où ça élève forêt Noël âge cœur être même après français garçon très première le la les une dans pour pas avec sur tout mais comme nous",
    "Spanish": "año niño español mañana también está más días después corazón José qué número teléfono el la los de que en un por con para una todo pero",
    "Portuguese": "não coração são você também informação três avó é à português ações mãe irmão água o a de que do da em um para com uma os no",
    "Italian": "città perché è più già così università lunedì qualità può il di che la per una sono come con anche questo tutto quando molto",
    "Swedish": "är på för från någon även två år måste böcker också själv äta öl Åsa det och att som en inte har med den till kan om",
    "Danish": "på æble også år får når være større måske første øl bøger sådan og i at det er en til af den ikke som med der kan",
    "Icelandic": "það ég við er ekki þú hafa verið í á að maður góður þetta hún og sem en fyrir með um var hann eða bara þegar",
    "Faroese": "dagført gjár ongan lut hesi skránni væl royna aftur tí tað gekk ikki Føroyar og eru við hann hon øll ár góður støð",
    "Polish": "zażółć gęślą jaźń błąd nie można otworzyć pliku wciśnij klawisz aby kontynuować być się żeby też już więcej jest na do że w i z to jak ale po",
    "Czech": "příliš žluťoučký kůň úpěl ďábelské ódy že není můžete soubor být já něco děti řekl a se v na je to s z do o by ale jako",
    "Hungarian": "árvíztűrő tükörfúrógép és hogy nem kérem több fájl előtt között győző sűrű a az egy van ez csak meg ki volt már itt mint",
    "Romanian": "şi în că mai pentru fişierul după dacă aţi fără această român ştie ţară viaţă de la cu o nu un din este pe ce care sau prin",
    "Turkish": "doğu için değil güneş şehir çocuk ağaç ışık İstanbul büyük küçük söyle bir ve bu da ne o var ben en daha çok gibi ama",
    "Lithuanian": "ąžuolas čia ėjo įsakymas šalis ūkis žmogus kuriuos jūsų visų žemė ir kad yra tai su bet kaip jau iki nuo tik apie",
    "Russian": "это пример текста на русском языке новости статьи другие разделы сайта ошибка файл не найден ещё раз пожалуйста время человек жизнь день год который что как",
    "Ukrainian": "це приклад тексту українською мовою новини її єдиний інші розділи сайту помилка файл не знайдено ще раз будь ласка людина життя день рік який що як",
    "Greek": "σφάλμα το αρχείο δεν βρέθηκε προσπαθήστε ξανά και είναι για με από στην που αυτό ένα οι τα της θα να ημέρα χρόνος άνθρωπος",
}
SIGNS = {
    "Japanese": ["日本語の文章はかなと漢字で書かれます。", "プログラムの例を示します。", "ファイルが見つかりません。", "もう一度入力してください。", "佐藤", "鈴木", "東京都", "株式会社", "2024年3月", "高橋太郎", "大阪府"],
    "Chinese": ["这是一个用来测试编码的中文文本，", "里面有许多常用的汉字。", "文件不存在，", "请重新输入。", "北京市", "王伟", "李娜", "有限公司", "我们的", "时间"],
    "Taiwanese": ["這是一個用來測試編碼的中文文字，", "裡面有許多常用的漢字。", "檔案不存在，", "請重新輸入。", "台北市", "陳先生", "有限公司", "我們的", "時間"],
    "Korean": ["파이썬은 배우기 쉽고 강력한 프로그래밍 언어입니다. ", "파일을 찾을 수 없습니다. ", "다시 입력하세요. ", "서울특별시 ", "김민수 ", "주식회사 ", "시간이 "],
}
# Other names of one encoding, and those that rread does not decode.
FOREIGN = {"cp437", "cp850", "cp852", "cp855", "cp857", "cp858", "cp865", "cp037", "cp500", "johab", "mac-latin2", "mac-turkish"}


def text(language, size, seed):
    choose = random.Random(f"{language} {size} {seed}").choice
    out = []
    while sum(map(len, out)) < size:
        out.append(choose(SIGNS[language]) if language in SIGNS else choose(WORDS[language].split()) + choose([" "] * 9 + [". ", ", "]))
        if random.Random(len(out)).random() < 0.1:
            out.append("\n")
    return "".join(out).strip() + "\n"


def cases():
    for language in [*WORDS, *SIGNS]:
        for encoding in ENCODINGS:
            for size in SIZES:
                if encoding == "johab" and language != "Korean":
                    continue
                for seed in range(2):
                    try:
                        content = text(language, size, seed).encode(encoding)
                    except UnicodeEncodeError:
                        continue
                    yield encoding, f"{language}-{encoding}-{size}-{seed}.txt", content


def kind(name):
    return f"{name.split('-')[-2]} characters"


def outcome(run, name, truth, content):
    done = run("lines", name, "--json")
    if done.returncode != 0:
        return "refused", "not evident"
    answer = json.loads(done.stdout)
    facts = answer["metadata"]
    guess = facts.get("encoding", "utf-8")
    if answer["content"] == content.decode(truth):
        return guess, "right"
    if guess == "unknown-8bit" or facts.get("notices") or facts.get("invalid_utf8"):
        return guess, "not evident"
    return guess, "wrong"
