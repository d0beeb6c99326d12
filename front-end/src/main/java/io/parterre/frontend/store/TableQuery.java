package io.parterre.frontend.store;

import io.parterre.filter.Filter;

/**
 * A listing of an account's tables, in the order of their names in lower case.
 *
 * @param filter over the single property {@code TableName}; names and literals compare in lower
 *     case. A table is shown to it as an entity with the String property {@code TableName}
 * @param top tables of a page at most, 1 to 1,000
 * @param fromLowerCase where this page starts; empty string: at the first
 */
public record TableQuery(Filter filter, int top, String fromLowerCase) {}
