import { Button, Code, CopyButton, MultiSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { apiKeysQuery, roleNamesQuery, useCreateApiKey, useRevokeApiKey } from '../api/profile.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { Moment } from '../parts/time.tsx'

/** The keys by which programs use the API, each with roles of its own. */
export function ApiKeys() {
  const { t } = useTranslation()
  const { data: keys, error, refetch } = useQuery(apiKeysQuery)
  const revoke = useRevokeApiKey()
  if (error) return <Failed error={error} retry={refetch} />
  if (!keys) return <Loading lines={2} height={40} />
  return (
    <>
      <ul className="plain-list sessions">
        {keys.map((key) => (
          <li key={key.id}>
            <span>
              <b>{key.name}</b> · {key.roles.join(', ')}
              <br />
              <span className="quiet">
                {key.last_used_at ? (
                  <>
                    {t('profile.keyUsed')} <Moment at={key.last_used_at} short />
                  </>
                ) : (
                  t('profile.keyUnused')
                )}
              </span>
            </span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('profile.revokeKeyOf', { name: key.name })}
              loading={revoke.isPending && revoke.variables === key.id}
              onClick={() => revoke.mutate(key.id)}
            >
              {t('profile.revokeKey')}
            </Button>
          </li>
        ))}
      </ul>
      <NewKey />
    </>
  )
}

function NewKey() {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const { data: roles = [] } = useQuery(roleNamesQuery)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const create = useCreateApiKey()
  if (create.data)
    return (
      <div className="stack" role="status">
        <p>{t('profile.keyShownOnce', { name: create.data.name })}</p>
        <Code block>{create.data.token}</Code>
        <CopyButton value={create.data.token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('profile.copied') : t('profile.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="subtle" onClick={create.reset}>
          {t('profile.keyKept')}
        </Button>
      </div>
    )
  function submit(event: FormEvent): void {
    event.preventDefault()
    create.mutate(
      { name: name.trim(), roles: chosen },
      {
        onSuccess() {
          setName('')
          setChosen([])
        },
      },
    )
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        label={t('profile.keyName')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={create.error ? messageOf(create.error) : undefined}
      />
      <MultiSelect label={t('profile.keyRoles')} data={roles} value={chosen} onChange={setChosen} />
      <Button
        type="submit"
        variant="default"
        disabled={name.trim() === '' || chosen.length === 0}
        loading={create.isPending}
      >
        {t('profile.createKey')}
      </Button>
    </form>
  )
}
