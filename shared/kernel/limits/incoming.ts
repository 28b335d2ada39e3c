/** The body of a message sent to the API. */
export const maxIncomingCharacters = 1_000_000
/** Failed rules that a message lists. As many rules as a tenant may have. More failures are of rules that were deleted, and the row must stay small. */
export const maxRuleFailures = 200
/** Inbound sources of a tenant. */
export const maxInboundSources = 100
/** Mailboxes of a tenant, besides the one of its settings. Each is fetched every minute. */
export const maxMailboxes = 100
/** Further addresses of a mailbox. */
export const maxMailboxAliases = 50
/** The signature of a mailbox. */
export const maxSignatureCharacters = 5_000
/** The code that a provider of a mailbox sends back. Providers name no length; theirs have less than 2,000. */
export const maxSignInCodeCharacters = 8_000
/** Mailboxes that a rule for messages names. */
export const maxRuleMailboxes = 100
/** Rules for messages of a tenant. Each message is matched against all rules of its tenant. */
export const maxIncomingRules = 200
/** States from which answers reopen a record, of a rule. */
export const maxReopenedStates = 100
/** Days for which answers reopen a record. */
export const maxReopenDays = 3_650
/** The condition of a rule. Every rule is looked at for each message, so conditions must stay small. */
export const maxConditionBytes = 20 * 1024
/** The mapping of a rule. A row of configuration with its script must fit. */
export const maxMappingBytes = 100 * 1024
/** Steps of a path into a message. */
export const maxPathSteps = 32
/** One step of such a path. */
export const maxPathStepCharacters = 200
/** Values that a path through arrays reaches. Values that one path through arrays may reach. */
export const maxPathValues = 1000
/** Tests in each other in a condition. */
export const maxConditionDepth = 32
/** Tests of a condition. */
export const maxConditionTests = 100
/** Values of a test. */
export const maxConditionValues = 200
/** A text in a test. Texts that are looked for in every message; together with the limit of tests they bound the time of a match. */
export const maxConditionTextCharacters = 1000
/** A message as scripts of rules see it. */
export const maxScriptMessageCharacters = 2_000_000
/** A text of such a message. */
export const maxScriptTextCharacters = 50_000
/** Items of an array of such a message. The memory of a script is bounded: of a larger message it sees the long texts cut. */
export const maxScriptItems = 1000
/** A text that a mapping writes. */
export const maxMappedCharacters = 100_000
/** The message of a failed rule. As it is stored. 200 rules may fail with a message, and all of it is in one row. */
export const maxRuleFailureBytes = 1000
/** The name of a sender in the messenger. */
export const maxSenderCharacters = 200
/** The body of a message from the messenger. The longest body of a message. The payload has the whole text. */
export const maxMessengerBodyCharacters = 100_000
/** A mail. */
export const maxMailBytes = 25 * 1024 * 1024
/** Attachments of a mail. */
export const maxMailFiles = 50
/** The text of a mail. The text of a mail that is kept, in UTF-8. */
export const maxMailTextBytes = 256 * 1024
/** The subject of a mail. */
export const maxMailSubjectCharacters = 998
/** The HTML of a mail. The HTML that is kept, in UTF-8. */
export const maxMailHtmlBytes = 512 * 1024
/** The name of an attachment. */
export const maxMailFileNameCharacters = 150
/** Addresses in a header of a mail. */
export const maxMailAddresses = 1000
/** Headers of a mail that its payload has. */
export const maxMailHeaders = 200
/** `from_name` of a message. */
export const maxSenderNameCharacters = 500
/** `from_id` of a message. */
export const maxSenderIdCharacters = 200
/** `subject` of a message. */
export const maxMessageSubjectCharacters = 1000
/** `attachments` of a message. */
export const maxMessageFiles = 50
/** The path of a file of a message or comment. */
export const maxMessageFilePathCharacters = 1000
/** The name of an inbound source. */
export const maxSourceNameCharacters = 100
/** The secret of an inbound source. */
export const maxSourceSecretCharacters = 1300
/** `prefix` of a signature. */
export const maxPrefixCharacters = 50
/** The token of an inbound source. */
export const maxInboundTokenCharacters = 200
/** One value of a mapping. */
export const maxMappingCharacters = 2000
/** Colours and icons of a rule. */
export const maxMappingTextCharacters = 50
