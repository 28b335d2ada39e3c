/** Unique fields of a table. */
export const maxUniqueFields = 10
/** The script of a hook. */
export const maxHookScriptBytes = 64 * 1024
/** The document of a table. */
export const maxTableBytes = 300 * 1024
/** What is kept of the retired fields of a table. Beside a document of 300 KB; an item holds 400 KB. */
export const maxRetiredFieldBytes = 50 * 1024
/** A label, and the name of a hook. */
export const maxLabelCharacters = 200
/** A colour. */
export const maxColorCharacters = 50
/** The description of a field. */
export const maxFieldDescriptionCharacters = 2000
/** Options of a value_list. */
export const maxOptions = 1000
/** Digits of a decimal, and those of them after the point. */
export const maxDecimalDigits = 36
export const maxDecimalScale = 12
export const defaultDecimalScale = 2
/** A json field, as JSON text. */
export const maxJsonBytes = 32 * 1024
/** The text and the digits of an auto_number. */
export const maxNumberPrefixCharacters = 20
export const maxPaddedDigits = 15
export const maxStartNumber = 1_000_000_000_000
/** A phone number as it is written: longer texts hold more than one. */
export const maxPhoneCharacters = 60
/** Schemes that a url field takes. */
export const maxSchemes = 20
/** States of a state_model. */
export const maxStates = 200
/** Transitions of a state_model. */
export const maxTransitions = 2000
/** Fields of a table. */
export const maxFields = 200
/** The formula of a computed field. */
export const maxFormulaCharacters = 2000
/** How deep the parts of a formula may be nested. */
export const maxFormulaDepth = 100
/** The texts that a formula works on, each counted as often as the formula names it, and its result. */
export const maxFormulaTextCharacters = 40_000
/** Hooks of a table. */
export const maxHooks = 200
/** The regular expression of a pattern. */
export const maxPatternCharacters = 500
/** How many instructions a pattern compiles to: each may look at each character of a text. */
export const maxPatternSteps = 500
/** Those of all patterns of a table. */
export const maxTablePatternSteps = 3000
/** A text that is compared with a pattern. */
export const maxPatternedCharacters = 10_000
/** The message of a pattern. */
export const maxPatternMessageCharacters = 200
/** Fields that a transition requires. */
export const maxRequiredFields = 50
/** Tables, roles, views, subscriptions and rules that follow a rename. One transaction takes 100 writes. */
export const maxRenameFollowers = 80
/** For how long the former name of a renamed table leads to it, and of how many names: the latest ones. */
export const formerTableNameDays = 30
export const maxFormerTableNames = 200
