// What credentials may do, and what users may.

/** What credentials may do. `admin` includes the others, and `read` includes `read-without-links`. */
export const SCOPES = ["read", "read-without-links", "import", "respond", "author", "review", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** From the least to the most. */
export const ROLES = ["viewer", "researcher", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** The scopes that a role has for the API's calls. */
export const SCOPES_OF_ROLES: Record<Role, readonly Scope[]> = {
  viewer: ["read-without-links"],
  researcher: ["read", "import", "respond", "author", "review"],
  admin: ["read", "import", "respond", "author", "review", "admin"],
};

/** Whether a role includes another one. */
export function includesRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
