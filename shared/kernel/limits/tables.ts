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
/** States of a state_model. */
export const maxStates = 200
/** Transitions of a state_model. */
export const maxTransitions = 2000
/** Fields of a table. */
export const maxFields = 200
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
