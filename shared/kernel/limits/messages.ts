/** Names of an AMQP exchange and routing key. */
export const maxAmqpNameBytes = 255
/** A delay in `retry_schedule`. */
export const maxRetryDelaySeconds = 7 * 24 * 60 * 60
/** What an attempt keeps of the answer of a mail server. */
export const maxReplyExcerptCharacters = 500
/** Roles that a snippet is for. */
export const maxSnippetRoles = 100
/** The path in a placeholder. */
export const maxPlaceholderCharacters = 500
/** A text made from a template. */
export const maxRenderedCharacters = 1024 * 1024
/** A subject. The longest mail that a template may become, in characters of its HTML. */
export const maxSubjectCharacters = 998
/** The body of a template. */
export const maxTemplateBodyCharacters = 256 * 1024
/** Translations of a template. */
export const maxTranslations = 100
/** The text that is made of an HTML body. Mail above this is cut: parsing deeply nested elements takes time by the square of their number. */
export const maxPlainTextCharacters = 256 * 1024
/** A template with its translations. */
export const maxTemplateBytes = 300 * 1024
/** Mistakes of a template that one answer names. A template with all its translations, as JSON. */
export const maxTemplateMistakes = 10
/** The text of a notification. So that the content always fits into the row of its intent. */
export const maxNotificationCharacters = 20_000
/** Administrators who are notified that a channel or mailbox failed. So many administrators are notified at most. */
export const maxAdministratorsTold = 50
/** An event of EventBridge. */
export const maxEventBytes = 1024 * 1024
/** A record of a stream. */
export const maxStreamRecordBytes = 10 * 1024 * 1024
/** An SMS. Ten parts of an SMS: what SNS sends at most. */
export const maxSmsCharacters = 1600
/** One message of the messenger. */
export const maxMessengerCharacters = 4096
/** Messages that one text may become. The longest text of a message (Bot API, sendMessage), in UTF-16 units, and as how many messages one may be sent. */
export const maxMessengerParts = 10
/** People whom one change tells by a subscription or because they watch. People who are notified of one change at most. */
export const maxToldOfChange = 1000
/** The filter of a subscription. Every subscription of a table is read for each change of it, so filters must stay small. */
export const maxSubscriptionFilterBytes = 20 * 1024
/** The name of a channel or a subscription. */
export const maxChannelNameCharacters = 100
/** A text in the settings of a channel, and the recipient of a test. */
export const maxChannelTextCharacters = 500
/** A secret or a header of a channel. */
export const maxHeaderCharacters = 1300
/** An address that a channel calls. */
export const maxUrlCharacters = 2000
/** Delays in `retry_schedule`. */
export const maxRetries = 20
/** `detail_type` of an EventBridge channel. */
export const maxDetailTypeCharacters = 128
/** The name of a notification template. */
export const maxTemplateNameCharacters = 200
/** A language. */
export const maxLocaleCharacters = 100
/** `fields` of a subscription. */
export const maxSubscriptionFields = 200
/** `roles` of a subscription. */
export const maxSubscriptionRoles = 20
/** `users` of a subscription. */
export const maxSubscriptionUsers = 200
/** `template` of a subscription. */
export const maxTemplateCodeCharacters = 100
/** `MAIL_ANSWERS_PER_HOUR`: automatic answers to one sender of mails. */
export const maxAnswersPerHour = 100
/** What a reply quotes of the mail that it answers. */
export const maxQuotedCharacters = 20_000
