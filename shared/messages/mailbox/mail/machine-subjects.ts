/*
 * Subjects that programs write, for mails without a header that says so. People write the same words: a phrase counts where
 * the subject begins, and only with nothing, or a separator and other words, behind it. A mail about an absence notice
 * (`Re: Automatic reply`, `Out of office printer`) is one of a person.
 */

/** What Outlook, Gmail and others put before the subject that they answer, or write instead of one. */
const absencePhrases = [
  // English
  'out[ -]of[ -](?:the[ -])?office(?: (?:auto ?-?(?:reply|response)|reply|notification|message|notice))?',
  'auto(?:matic|mated)?[ -]?(?:reply|response)(?: message)?',
  '(?:on )?vacation (?:reply|response|notice|message|auto-?reply)',
  'away from (?:the|my) (?:office|mail|desk)',
  // German
  'automatische (?:antwort|r[üu]ckantwort)',
  'auto-?antwort',
  'abwesenheits(?:notiz|nachricht|meldung|mitteilung|benachrichtigung|assistent|agent|info)',
  'abwesend',
  'abwesenheit',
  'nicht im b[üu]ro',
  '(?:au(?:ß|ss)er haus)',
  // French
  'r[ée]ponse automatique',
  "(?:message|avis|notification) d['’]absence",
  '(?:absence|absente?|absent\\(e\\)) du bureau',
  // Spanish
  'respuesta autom[áa]tica',
  'fuera de (?:la )?oficina',
  '(?:mensaje|aviso) de ausencia',
  // Italian
  'risposta automatica',
  'fuori (?:sede|ufficio)',
  "assente dall['’]ufficio",
  // Portuguese
  'resposta autom[áa]tica',
  '(?:fora|ausente) do escrit[óo]rio',
  '(?:aviso|mensagem) de aus[êe]ncia',
  // Dutch
  'automatisch (?:antwoord|bericht)',
  '(?:afwezigheids(?:bericht|melding|assistent)|afwezig)',
  'niet aanwezig',
  // Swedish, Norwegian, Danish, Finnish
  'auto(?:matiskt?|matisk)? ?svar',
  '(?:fr[åa]nvaro|fr[åa]nvaromeddelande|frav[æa]r|frav[æa]rsmelding)',
  '(?:ikke til stede|ikke p[åa] kontoret|inte p[åa] kontoret)',
  'automaattinen (?:vastaus|poissaoloviesti)',
  'poissaoloilmoitus',
  // Polish, Czech, Slovak, Hungarian, Romanian
  'automatyczna odpowied[źz]',
  'odpowied[źz] automatyczna',
  'poza biurem',
  'automatick[áa] odpove[ďd]',
  'automatick[áa] odpov[ěe][ďd]',
  'mimo kancel[áa][řr]',
  'automatikus v[áa]lasz',
  'r[ăa]spuns automat',
  // Slovenian, Croatian, Serbian, Bulgarian, Greek
  '(?:samodejni|automatski) odgovor',
  'автоматичен отговор',
  'αυτόματη απάντηση',
  // Estonian, Latvian, Lithuanian
  'automaatvastus',
  'autom[āa]tisk[āa] atbilde',
  'automatinis atsakymas',
  // Russian, Ukrainian, Turkish, Hebrew, Arabic
  'автоответ(?:чик)?',
  'автоматический ответ',
  'автоматична відповідь',
  '(?:вне офиса|нет на рабочем месте|отсутствие на рабочем месте)',
  'otomatik (?:yanıt|cevap)',
  'ofis dışında',
  'תשובה אוטומטית',
  'رد تلقائي',
  // Chinese, Japanese, Korean
  '自动回复',
  '自動回覆',
  '自动答复',
  '外出自动回复',
  '自動(?:返信|応答|送信)',
  '不在(?:通知|連絡|のお知らせ)',
  '자동 ?(?:회신|응답|답장)',
  '부재 ?중(?: 자동 ?(?:회신|응답))?',
]

/** What no person has reason to write as a whole subject. */
const bouncePhrases = [
  "(?:your )?(?:mail|e-?mail|message) (?:could not|couldn['’]t|cannot|can not) be delivered",
  'undelivered mail returned to sender',
  'undeliverable (?:mail|message)',
  'mail delivery failed: returning message to sender',
  'mail system error - returned mail',
  'returned mail: see transcript for details',
  'delivery status notification(?: \\((?:failure|delay|failed)\\))?',
  'delivery notification: delivery has failed',
  '(?:ihre )?(?:nachricht|(?:e-?)?mail) konnte nicht zugestellt werden',
]

/** How the notices of mail servers begin. */
const daemonWords =
  /^(?:undeliver|un-?deliverable|delivery (?:status|failure|has failed|report|notification|problem)|mail (?:delivery|system error|could not)|message (?:could not|delivery|undeliver)|failure notice|failed (?:mail|delivery)|returned (?:mail|to sender|message)|non.?deliver|not delivered|unzustellbar|nicht zustellbar|zustellung|non remis|[ée]chec de (?:remise|la remise)|no se puede entregar|no se ha podido entregar|non recapitabile|impossibile recapitare|onbestelbaar|n[ãa]o entreg|n[ãa]o foi poss[íi]vel entregar|olevererbar|kunde inte levereras|не удалось доставить|недоставлен|无法投递|未送达|配信不能|配信できません|warning: (?:could not|message))/iu

/** A tag that a gateway puts before a subject. */
const gatewayTag = '(?:\\[[^\\][]{1,30}\\]\\s*)?'
/** What follows a phrase: the end, a separator, or the subject that is answered. */
const separator = [
  '$',
  '[:：】\\])»]',
  '[;,.!…|/()（\\[\\]】–—-](?![\\p{L}\\p{N}])',
  '\\s(?:re|aw|sv|vs|fw|fwd|wg|tr|rv)\\s*:',
  // Scripts that have no spaces between words.
  '(?<=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])\\s',
].join('|')
const beginning = (phrases: readonly string[]): RegExp =>
  new RegExp(`^${gatewayTag}[\\[【(*«"]?\\s*(?:${phrases.join('|')})\\s*(?:${separator})`, 'iu')
const absence = beginning(absencePhrases)
const bounce = beginning(bouncePhrases)

const maxCharacters = 300

/** Whether a subject is that of an absence notice or another automatic answer. */
export const isAbsenceSubject = (subject: string): boolean => absence.test(cut(subject))

/** Whether a subject says that a mail came back. `isDaemon`: a mail server sent it, whose words need less care. */
export const isBounceSubject = (subject: string, isDaemon: boolean): boolean =>
  bounce.test(cut(subject)) || (isDaemon && daemonWords.test(cut(subject)))

const cut = (subject: string): string => subject.trim().slice(0, maxCharacters)
