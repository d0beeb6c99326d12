package io.parterre.deploy.config;

/**
 * A value from the command line.
 *
 * @param flag the flag as typed, to show where the value came from
 */
public record FlagSetting(String flag, String key, String text) {}
