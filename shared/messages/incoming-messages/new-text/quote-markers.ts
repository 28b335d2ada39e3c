/*
 * What mail programs write between an answer and the mail that it quotes, in the languages of their users. Lines are judged by
 * several signs at once, because people write "From:" and "he wrote:" as well.
 */

const anyOf = (words: string): string =>
  words
    .trim()
    .split(/\s*\|\s*/)
    .join('|')

/** Says who wrote what follows. */
const verb = new RegExp(
  `(?<!\\p{L})(?:${anyOf(`wrote | schrieb | a écrit | escribió | ha scritto | escreveu | schreef | skrev | napisał(?:\\(a\\)|a)?
  | pisze | napsal(?:\\(a\\)|a)? | napísal(?:\\(a\\)|a)? | kirjoitti | írta | a scris | yazdı | έγραψε | пишет | пише
  | написав(?:ла)? | написал(?:\\(а\\)|а)? | kirjutas | rašė | je napisao | je napisal`)})(?!\\p{L})|写道|寫道|書きました|のメール|작성|كتب|كتبت|כתב|כתבה|ने लिखा|เขียนว่า|نوشت`,
  'iu',
)
/** Begins such a line where the date comes first. */
const opening = new RegExp(
  `^(?:${anyOf('On | Am | Le | El | Il | La | Em | No dia | Op | Den | På | W dniu | Dnia | Dne | Dňa | Pe | Στις | В')})\\s`,
  'u',
)
const date = /(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?!\d)/
const time = /(?<!\d)\d{1,2}[:.h]\d\d(?!\d)/
/** Digits of other scripts count as ours: each script has its ten in order. */
const withAsciiDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹०-९০-৯๐-๙]/gu, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)))
const digitZeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]
const digitOf = (code: number): number => code - (digitZeros.findLast((zero) => zero <= code) ?? code)
const address = /[^\s<>()@]{1,64}@[^\s<>()@]{1,255}\.[^\s<>()@]{2,}/
const maxCharacters = 500

/**
 * Whether a text, one line or a few that were wrapped, introduces a quote. `strong`: also when the quote has no marks;
 * `weak`: only before lines that have them.
 */
export function attribution(text: string): 'strong' | 'weak' | undefined {
  const plain = withAsciiDigits(text)
  if (text.length > maxCharacters || !/[:：]\s*$/.test(text)) return undefined
  const hasVerb = verb.test(text)
  const hasDate = date.test(plain)
  if (hasVerb && hasDate && (opening.test(text) || address.test(text))) return 'strong'
  return hasVerb || (hasDate && (time.test(plain) || address.test(text))) || (time.test(plain) && address.test(text))
    ? 'weak'
    : undefined
}

/** `-----Original Message-----` */
const original = new RegExp(
  `^\\s*[-_*]{2,}\\s*(?:${anyOf(`original message | original appointment | ursprüngliche nachricht | original-nachricht
  | originalnachricht | ursprünglicher termin | message d['’]origine | message original | mensaje original
  | messaggio originale | mensagem original | oorspronkelijk bericht | ursprungligt meddelande | originalmeddelande
  | opprinnelig melding | oprindelig meddelelse | alkuperäinen viesti | wiadomość oryginalna | oryginalna wiadomość
  | původní zpráva | pôvodná správa | eredeti üzenet | mesaj original | izvorna poruka | izvirno sporočilo
  | исходное сообщение | оригинальное сообщение | özgün i?leti | orijinal mesaj | αρχικό μήνυμα | 原始邮件 | 原始郵件
  | 元のメッセージ | 원본 메시지`)})\\s*[-_*]{2,}\\s*$`,
  'iu',
)
/** What somebody sends on is what they want to say, not history. */
const forwarded = new RegExp(
  `^\\s*(?:[-_*]{2,}\\s*)?(?:begin )?(?:${anyOf(`forwarded message | forwarded by | weitergeleitete nachricht
  | anfang der weitergeleiteten (?:nachricht|e-mail) | message transféré | message transmis | début du message (?:réexpédié|transféré)
  | mensaje reenviado | inicio del mensaje reenviado | messaggio inoltrato | inizio (?:del )?messaggio inoltrato
  | mensagem encaminhada | início da mensagem (?:encaminhada|reencaminhada) | doorgestuurd bericht | begin doorgestuurd bericht
  | vidarebefordrat (?:meddelande|brev) | videresendt (?:melding|meddelelse) | edelleenlähetetty viesti
  | wiadomość przekazana | przekazana wiadomość | přeposlaná zpráva | пересылаемое сообщение | пересланное сообщение
  | iletilen mesaj | 转发的邮件 | 转发邮件 | 轉寄的郵件 | 転送メッセージ | 전달된 메시지`)})\\s*(?:[-_*]{2,}|[:：])\\s*$`,
  'iu',
)
const forwardedSubject = /^\s*(?:fwd?|wg|tr|rv|enc|i|vb|doorst|vl|pd|továbbítás|ilt|转发|轉寄|転送|전달)\s*[:：]/iu

/** What scanners and gateways add to a mail on its way. */
const gateway =
  /\b(?:scanned (?:for|by)|virus[- ]?free|checked for viruses|viruses|antivirus|malware|mailscanner|mimecast|barracuda|avast|originated (?:from )?outside|external (?:e-?mail|sender|message)|auf viren (?:geprüft|überprüft|untersucht)|virenfrei|externe (?:e-?mail|nachricht)|analysé par|sans virus|garanti sans virus|analizado|libre de virus|controllata? (?:da|per)|priva di virus|gescand op|virusvrij)(?!\p{L})/iu

/** The labels of the headers that Outlook repeats, in its languages. */
const labels = {
  from: 'From | Von | De | Da | Van | Från | Fra | Od | Lähettäjä | Feladó | De la | Gönderen | Kimden | Από | От | Від | Expéditeur | 发件人 | 寄件者 | 差出人 | 送信者 | 보낸 사람',
  date: 'Sent | Date | Gesendet | Datum | Envoyé | Enviado(?: el| em)? | Fecha | Inviato | Data | Verzonden | Skickat | Sendt | Dato | Wysłano | Odesláno | Lähetetty | Päivämäärä | Elküldve | Trimis | Gönderildi | Tarih | Στάλθηκε | Отправлено | Дата | Надіслано | 发送时间 | 日期 | 寄件日期 | 送信日時 | 日付 | 보낸 날짜 | 날짜',
  subject:
    'Subject | Betreff | Objet | Asunto | Oggetto | Assunto | Onderwerp | Ämne | Emne | Temat | Předmět | Predmet | Aihe | Tárgy | Subiect | Konu | Θέμα | Тема | 主题 | 主旨 | 件名 | 제목',
  other:
    'To | An | À | A | Para | Aan | Till | Til | Do | Komu | Vastaanottaja | Címzett | Către | Kime | Προς | Кому | Cc | CC | Kopie | Копия | Importance | Wichtigkeit | 收件人 | 收件者 | 抄送 | 宛先 | 받는 사람 | 참조',
}
const labelled = (words: string): RegExp => new RegExp(`^\\s*\\*?(?:${anyOf(words)})\\s?[:：]\\*?\\s*(?:\\S|$)`, 'u')
const isFrom = labelled(labels.from)
const isDate = labelled(labels.date)
const isSubject = labelled(labels.subject)
const isLabel = labelled(Object.values(labels).join(' | '))
/** The value of a header that a block of repeated headers has. */
export function headerValue(block: readonly string[], name: 'from' | 'subject'): string | undefined {
  const line = block.find((one) => (name === 'from' ? isFrom : isSubject).test(one))
  return line?.replace(/^[^:：]*[:：]\*?\s*/u, '').trim()
}

/** Lines of such a block: its headers, some of them wrapped. */
const maxBlockLines = 12

/** Whether a line may be the first of several that introduce a quote. */
export const isOpening = (line: string): boolean => opening.test(line)
export const isOriginalMarker = (line: string): boolean => original.test(line)
export const isForwardMarker = (line: string): boolean => forwarded.test(line)
/** Whether a line is of a scanner or a gateway, and of nobody who writes. */
export const isGatewayLine = (line: string): boolean => line.length <= maxCharacters && gateway.test(line)
export const isForwardSubject = (subject: string): boolean => forwardedSubject.test(subject)
export const isHeaderLine = (line: string): boolean => isLabel.test(line)
export const isRule = (line: string): boolean => /^\s*[-_]{5,}\s*$/.test(line)

/**
 * Where a block of repeated headers ends that begins at a line; undefined when none does. `isKnown`: something before says
 * that one begins, else sender, date and subject are needed.
 */
export function endOfHeaders(lines: readonly string[], start: number, isKnown: boolean): number | undefined {
  if (!isKnown && !isFrom.test(lines[start] ?? '')) return undefined
  let end = start
  while (end < lines.length && end < start + maxBlockLines && (lines[end] as string).trim() !== '') end += 1
  const block = lines.slice(start, end)
  if (isKnown) return block.some((line) => isLabel.test(line)) ? end : start
  return block.some((line) => isDate.test(line)) && block.some((line) => isSubject.test(line)) ? end : undefined
}
