package io.parterre.frontend.store;

import io.parterre.filter.Filter;

/**
 * A listing of an account's tables, in the order of their names in lower case.
 *
 * @param filter concerns the single property {@code TableName}; names and literals are compared in
 *     lower case. The filter sees a table as an entity with the String property {@code TableName}
 * @param top most tables of a page, 1 to 1,000
 * @param fromLowerCase where this page starts; empty string: at the first table
 */
public record TableQuery(Filter filter, int top, String fromLowerCase) {}
