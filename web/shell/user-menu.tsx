import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Building from 'lucide-react/icons/building-2'
import Check from 'lucide-react/icons/check'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Moon from 'lucide-react/icons/moon'
import User from 'lucide-react/icons/user-round'
import { useTranslation } from 'react-i18next'
import { useUser } from '../api/permissions.ts'
import { endSession, switchCompany } from '../api/session.ts'
import { leaveTo } from './leave-to.ts'
import { openHelp } from './overlays.tsx'

const schemes = ['light', 'dark', 'auto'] as const

/** Profile, companies, appearance, and the way out. `profile`: where the profile is shown. */
export function UserMenu({ profile = '/profile' }: { readonly profile?: '/profile' | '/portal/profile' }) {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const enter = useMutation({ mutationFn: switchCompany, onSuccess: () => leaveTo('/') })
  const signOut = useMutation({ mutationFn: endSession, onSettled: () => leaveTo('/sign-in') })
  const mark = (isCurrent: boolean) => (isCurrent ? <Check size={14} aria-label={t('shell.chosen')} /> : undefined)
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('shell.userMenu', { name: user.name })}>
          <User size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name}
          <br />
          {user.email}
        </Menu.Label>
        <Menu.Item leftSection={<User size={16} />} onClick={() => void navigate({ to: profile })}>
          {t('shell.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<Keyboard size={16} />} onClick={openHelp} rightSection={<kbd>?</kbd>}>
          {t('shell.keys')}
        </Menu.Item>
        {user.tenants.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('shell.companies')}</Menu.Label>
            {user.tenants.map(({ slug, name }) => (
              <Menu.Item
                key={slug}
                leftSection={<Building size={16} />}
                rightSection={mark(slug === user.tenant.slug)}
                disabled={slug === user.tenant.slug}
                onClick={() => enter.mutate(slug)}
              >
                {name}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Label>{t('shell.appearance')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
            leftSection={<Moon size={16} />}
            rightSection={mark(scheme === colorScheme)}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`shell.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => signOut.mutate()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
