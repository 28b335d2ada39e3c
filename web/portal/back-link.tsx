import { Link } from '@tanstack/react-router'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useTranslation } from 'react-i18next'

/** Leads to the list or home that a screen belongs to. */
export function BackLink({ to }: { readonly to: '/portal' | '/portal/requests' }) {
  const { t } = useTranslation()
  return (
    <Link to={to} className="back-link">
      <ArrowLeft size={18} aria-hidden />
      {to === '/portal' ? t('portal.back') : t('shell.ownRequests')}
    </Link>
  )
}
