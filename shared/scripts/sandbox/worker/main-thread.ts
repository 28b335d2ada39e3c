import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { CallAnswer, FromWorker, SharedState } from '../messages.ts'
import type { LogLevel } from '../script-run.ts'

/** The main thread, as a worker reaches it. */
export interface MainThread {
  /** Blocks this thread until the answer arrives. */
  call(method: string, args: string): CallAnswer
  log(level: LogLevel, text: string): void
}

export function reachMainThread(port: MessagePort, shared: SharedState): MainThread {
  const send = (message: FromWorker): void => port.postMessage(message)
  return {
    call(method, args) {
      shared.expectAnswer()
      send({ kind: 'call', method, args })
      shared.awaitAnswer()
      const received = receiveMessageOnPort(port) as { message: CallAnswer } | undefined
      return received?.message ?? { stop: 'The answer to a call was lost' }
    },
    log: (level, text) => send({ kind: 'log', level, text }),
  }
}
