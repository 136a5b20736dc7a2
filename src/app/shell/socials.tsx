import type { Organisation } from "#shared/organisation.ts";
import { Icon, type IconName } from "#shared/ui/icon.tsx";

const socialIcons: readonly [keyof Organisation["socials"], string, IconName][] = [
  ["facebook", "Facebook", "soc1"],
  ["instagram", "Instagram", "soc2"],
  ["youtube", "YouTube", "soc3"],
];

/** Links to the organisation's social media: in the header, the menu panel and the footer (LAY-5). */
export function Socials({ socials }: Pick<Organisation, "socials">) {
  const known = socialIcons.filter(([key]) => socials[key] !== undefined);
  if (known.length === 0) return null;
  return (
    <ul className="socials">
      {known.map(([key, label, icon]) => (
        <li key={key}>
          <a href={socials[key]} aria-label={label} rel="external">
            <Icon name={icon} />
          </a>
        </li>
      ))}
    </ul>
  );
}
