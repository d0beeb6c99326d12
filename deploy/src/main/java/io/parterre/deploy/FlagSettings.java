package io.parterre.deploy;

import io.parterre.deploy.config.FlagSetting;
import java.util.List;

/** Flags of a command that set keys of the configuration. */
interface FlagSettings {
    /** Returns the flags that were typed, in any order. */
    List<FlagSetting> settings();

    /** Returns a flag's setting; empty if the flag was not typed. */
    static List<FlagSetting> of(String flag, String key, String value) {
        return value == null ? List.of() : List.of(new FlagSetting(flag, key, value));
    }
}
