import * as limits from '../../../../../kernel/limits/scripts.ts'
import { explained } from '../explained.ts'

export const scriptsLimits = explained('Scripts', limits, {
  maxScriptCharacters: ['characters', 'a script that is checked or run dry', '422 on `script`'],
  maxLogLines: ['lines', 'lines that a run logs', 'The others are dropped'],
  maxLogCharacters: ['characters', 'what a run logs', 'The rest is dropped'],
  maxKeptLogCharacters: ['characters', 'how much of it the run log keeps', 'The rest is dropped'],
  maxLogLineCharacters: ['characters', 'a line of the log', 'It is cut'],
  maxCallAnswerCharacters: ['characters', 'what one `$api` call answers', 'The call throws'],
  maxScriptValueDepth: ['levels', 'objects and arrays in each other in what a script hands over', 'The script stops'],
  maxHookDepth: ['hooks', 'hooks of hooks', 'The script stops, 422 refused_by_hook'],
  maxMessagesPerWrite: ['messages', 'messages of the scripts of one write', 'The call throws'],
  maxRecipientsPerMessage: ['recipients', 'recipients of one message', 'The call throws'],
  maxMessageBytesPerWrite: [
    'bytes',
    'the messages of the scripts of one write, with their recipients',
    'The call throws',
  ],
  maxRoutingKeyBytes: ['bytes', 'the key of a published message', 'The call throws'],
  maxScriptRows: ['records', 'records that `$api.query` answers', 'Clamped'],
  maxScriptPeople: ['people', 'people that `$api.users.find` answers', 'The first ones are answered'],
  maxAfterHookTries: [
    'attempts',
    'attempts of after hooks that a crash interrupted',
    'They are given up, and the log of the service says so',
  ],
  maxRememberedBytes: [
    'bytes',
    'earlier values that after hooks get when a crash interrupted them',
    '`$old` lacks them',
  ],
  maxScriptCpuMs: ['milliseconds', 'the time that one run computes', 'It stops: 422 refused_by_hook'],
  maxScriptWallMs: ['milliseconds', 'one run with its `$api` calls', 'It stops: 422 refused_by_hook'],
  maxScriptMemoryMb: ['MB', 'the memory of one run', 'It stops: 422 refused_by_hook'],
  maxScriptCalls: ['calls', '`$api` calls of one run', 'It stops: 422 refused_by_hook'],
  maxRequestScriptMs: ['milliseconds', 'all scripts of one request together', 'They stop: 422 refused_by_hook'],
})
