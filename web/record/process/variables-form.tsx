import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrorsOf, useMessageOf } from '../../api/failures.ts'
import { useOperate, type WholeProcess } from '../../api/processes.ts'
import { readVariables } from './read-variables.ts'

interface VariablesFormProps {
  readonly model: string
  readonly record: number
  readonly process: WholeProcess
  readonly onClose: () => void
}

/** Changes the variables of a process as JSON, which is checked before it is sent; it says what would change. */
export function VariablesForm({ model, record, process, onClose }: VariablesFormProps) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const send = useOperate(model, record, process.id)
  // What they were when they were opened: what the process sets meanwhile is no change of the reader.
  const [before] = useState(process.variables)
  const [typed, setTyped] = useState(() => JSON.stringify(before, null, 2))
  const read = readVariables(typed, before)
  const refused = Object.values(fieldErrorsOf(send.error)).join(' ')
  const problem =
    'problem' in read ? t(read.problem === 'object' ? 'process.notAnObject' : 'fields.notJson') : undefined
  const isChanged = !('problem' in read) && Object.keys(read.set).length + read.remove.length > 0
  return (
    <form
      className="stack"
      noValidate
      aria-label={t('process.changeVariables')}
      onSubmit={(event) => {
        event.preventDefault()
        if ('problem' in read || !isChanged || send.isPending) return
        send.mutate({ do: 'variables', ...read }, { onSuccess: onClose })
      }}
    >
      <Textarea
        label={t('process.variables')}
        description={t('process.variablesWhy')}
        classNames={{ input: 'code' }}
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={problem ?? (refused || undefined)}
        data-autofocus
        autoFocus
      />
      {isChanged && (
        <p className="quiet" role="status">
          {Object.keys(read.set).length > 0 && t('process.sets', { names: Object.keys(read.set).join(', ') })}{' '}
          {read.remove.length > 0 && t('process.removes', { names: read.remove.join(', ') })}
        </p>
      )}
      {send.error && refused === '' && (
        <p className="problem" role="alert">
          {messageOf(send.error)}
        </p>
      )}
      <span className="task-actions">
        <Button type="submit" size="compact-sm" disabled={!isChanged} loading={send.isPending}>
          {t('record.save')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('parts.cancel')}
        </Button>
      </span>
    </form>
  )
}
