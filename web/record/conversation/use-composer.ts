import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useComment } from '../../api/about-record.ts'
import { failureOf } from '../../api/failures.ts'
import { replyOptionsQuery } from '../../api/replies.ts'
import { useDraft } from '../../parts/drafts.ts'
import { useDraftFiles } from './draft-files.ts'
import { addressesOf, type Draft, emptyDraft, type Mode, readDraft, withIds, writeDraft } from './draft.ts'
import { usePassable } from './passable.ts'

export interface ComposerOf {
  readonly model: string
  readonly id: number
  readonly mayComment: boolean
  readonly mayBeInternal: boolean
  /** Whether the reader may write to people outside. */
  readonly mayReply: boolean
}

/** What is being written about a record, whom it reaches, and sending it: at once, or as soon as it is known how. */
export function useComposer({ model, id, mayComment, mayBeInternal, mayReply }: ComposerOf) {
  const { draft, put, show, read, forget, clear } = useDraft(`${model} ${id}`, emptyDraft, {
    read: readDraft,
    write: writeDraft,
  })
  const chosen = useDraftFiles(`${model} ${id}`)
  const { files } = chosen
  const [missing, setMissing] = useState<readonly string[]>([])
  const [isAsked, setAsked] = useState(false)
  const [unsent, setUnsent] = useState<unknown>(null)
  const comment = useComment(model, id)
  const asked = useQuery({ ...replyOptionsQuery(model, id), enabled: mayReply && mayComment })
  const { data: options } = asked
  // Whom a reply reaches: until that is known, what is sent could go to somebody else, or to nobody.
  const isUnknown = mayReply && mayComment && options === undefined
  const open: readonly Mode[] = [
    ...(options?.email && mayComment ? (['email'] as const) : []),
    ...(options?.messenger && mayComment ? (['messenger'] as const) : []),
    ...(mayComment ? (['comment'] as const) : []),
    ...(mayBeInternal ? (['note'] as const) : []),
    ...(options?.email && mayComment ? (['forward'] as const) : []),
  ]
  const [first = 'note'] = open
  // What was chosen to be a comment or a note reaches nobody outside in any case.
  const isUndecided = isUnknown && draft.mode !== 'comment' && draft.mode !== 'note'
  const failure = isUndecided ? failureOf(asked) : null
  const isBusy = isUndecided || comment.isPending
  // A note stays one while it is not known yet what else there is.
  const mode = draft.mode && (open.includes(draft.mode) || isUnknown) ? draft.mode : first
  const conversations = options?.conversations ?? []
  const answered =
    conversations.find(({ id: one }) => one === draft.conversation) ?? conversations.find(({ is_default: is }) => is)
  const offered = mode === 'forward' ? [] : (answered?.cc ?? [])
  const isPassedOn = mode === 'forward'
  const passable = usePassable(model, id, isPassedOn)
  const [latest] = passable.filter(({ kind, isInternal }) => kind === 'message' && !isInternal)
  const messages = draft.messages ?? (latest ? [latest.id] : [])
  const comments = draft.comments ?? []

  // Who types before it is known what there is has chosen nothing yet.
  const change = (changes: Partial<Draft>): void => put({ ...draft, ...(!isUnknown && { mode }), ...changes })

  function send(): void {
    if (draft.body.trim() === '') return
    setUnsent(null)
    if (failure !== null) {
      setUnsent(failure)
      if (asked.error) void asked.refetch()
    } else if (isBusy) setAsked(true)
    else sendNow()
  }

  function sendNow(): void {
    const way = mode === 'email' || mode === 'messenger' ? mode : mode === 'comment' && mayReply ? 'none' : undefined
    const sent = { ...draft, mode }
    // The next one can be typed at once. What was sent stays kept until it has arrived.
    show({ ...emptyDraft, mode })
    chosen.show([])
    setMissing([])
    const typedSince = (): string => {
      const kept = read()?.body ?? ''
      return kept === sent.body ? '' : kept
    }
    comment.mutate(
      {
        body: withIds({ ...sent, body: sent.body.trim() }),
        isInternal: mode === 'note',
        send: way,
        files,
        ...(isPassedOn && {
          forward: { to: (sent.to ?? '').trim(), messages, comments },
          cc: addressesOf(sent.cc ?? ''),
          subject: sent.subject?.trim() ?? '',
        }),
        ...(mode === 'email' && {
          cc: sent.cc === undefined ? offered : addressesOf(sent.cc),
          subject: sent.subject?.trim() ?? '',
          // Named, so that nobody else is answered when another mail arrives meanwhile.
          ...(conversations.length > 1 && { conversation: answered?.id }),
        }),
      },
      {
        onSuccess: () => {
          chosen.settle()
          if (typedSince() === '') forget()
        },
        onError: () => {
          put({ ...sent, body: [sent.body, typedSince()].filter((part) => part !== '').join('\n\n') })
          chosen.add(files)
        },
      },
    )
  }

  // Asked to send before it was known how, or while another is on its way.
  const isDue = isAsked && (!isBusy || failure !== null)
  const sendWhatIsDue = useEffectEvent(() => {
    setAsked(false)
    send()
  })
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- a reply asked for too early is sent here, once the service has said whom it reaches
    if (isDue) sendWhatIsDue()
  }, [isDue])

  return {
    draft,
    change,
    /** Answers another of the conversations: its copies are its own. */
    answer(conversation: number): void {
      const { cc: _other, ...rest } = draft
      put({ ...rest, mode, conversation })
    },
    files,
    addFiles: chosen.add,
    removeFile: (file: File): void => chosen.put(files.filter((one) => one !== file)),
    /** Fields of a template that nothing is known for. */
    missing,
    setMissing,
    /** How something can be written here; the first is the one that is offered. */
    open,
    first,
    mode,
    isUnknown,
    isUndecided,
    options,
    conversations,
    answered,
    offered,
    /** What can be forwarded, the newest first, and what of it is. */
    passable,
    messages,
    comments,
    failure,
    send,
    isSending: comment.isPending || isAsked,
    problem: comment.error ?? unsent,
    refusal: comment.error,
    forget(): void {
      clear()
      if (draft.mode !== undefined) show({ ...emptyDraft, mode: draft.mode })
      chosen.put([])
      setMissing([])
      setUnsent(null)
      comment.reset()
    },
  }
}
