/** A script that is checked or run dry. */
export const maxScriptCharacters = 65_536
/** Lines that a run logs. */
export const maxLogLines = 200
/** What a run logs. */
export const maxLogCharacters = 64 * 1024
/** How much of it the run log keeps. */
export const maxKeptLogCharacters = 32_000
/** A line of the log. */
export const maxLogLineCharacters = 2000
/** What one `$api` call answers. */
export const maxCallAnswerCharacters = 4 << 20
/** Objects and arrays in each other in what a script hands over. */
export const maxScriptValueDepth = 64
/** Hooks of hooks. */
export const maxHookDepth = 5
/** Messages of the scripts of one write. All rows of an operation go into its one transaction, which may have a hundred. */
export const maxMessagesPerWrite = 70
/** Recipients of one message. All recipients of a message are in its one row. */
export const maxRecipientsPerMessage = 1000
/** The messages of the scripts of one write, with their recipients. */
export const maxMessageBytesPerWrite = 1_500_000
/** The key of a published message. */
export const maxRoutingKeyBytes = 255
/** Records that `$api.query` answers. */
export const maxScriptRows = 1000
/** People that `$api.users.find` answers. */
export const maxScriptPeople = 100
/** Attempts of after hooks that a crash interrupted. Hooks that crashed their function this often are dropped. */
export const maxAfterHookTries = 5
/** Earlier values that after hooks get when a crash interrupted them. A larger `old` is left out: the list must fit into the item of a record of 350 KB. */
export const maxRememberedBytes = 20 * 1024
/** The time that one run computes. */
export const maxScriptCpuMs = 1000
/** One run with its `$api` calls. */
export const maxScriptWallMs = 10_000
/** The memory of one run. */
export const maxScriptMemoryMb = 32
/** `$api` calls of one run. */
export const maxScriptCalls = 50
/** All scripts of one request together. */
export const maxRequestScriptMs = 20_000
