import type { User } from '@cambist/contract/accounts';
import type { SettingValue } from '@cambist/contract/settings';
import type { ServerCall } from '#lib/server/relay.ts';
import type { SiteSettings, SiteWide } from '#lib/server/site-settings.ts';
import type { Theme } from '#lib/browser/theme.ts';

declare global {
  namespace App {
    interface Error {
      /** The code of the refusal, for pages that explain it. */
      code?: string;
      request_id?: string;
    }

    interface Locals {
      requestId: string;
      theme: Theme;
      /** Null for a guest. */
      user: User | null;
      /** True when the API could not say who this is. */
      userUnknown: boolean;
      /** Calls the API as this visitor. */
      call: ServerCall;
      wide: SiteWide;
    }

    interface PageData {
      user: User | null;
      theme: Theme;
      /** This site's public origin, for canonical addresses. */
      origin: string;
      site: SiteSettings;
      /** The desk's saved reasons, in the list of exchanges. */
      reasons?: SettingValue<'saved-reasons'>['reasons'];
    }
  }
}
