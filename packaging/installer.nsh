; muster:// opens Muster from the moment it is installed; Muster itself writes the same at each start. Behind "--" nothing
; that a link holds is a flag.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\muster" "" "URL:Muster"
  WriteRegStr SHELL_CONTEXT "Software\Classes\muster" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\muster\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\muster\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "--" "%1"'
!macroend

; An update removes the former version first: what its person has set stays then. The profile and the secrets in Credential
; Manager stay in any case. HKCU: what Muster wrote for whoever ran it.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegKey SHELL_CONTEXT "Software\Classes\muster"
    DeleteRegKey HKCU "Software\Classes\muster"
    ; By these Windows hands on the click on a notification of a former run (src-main/platform/desktop/start/identity.ts). The links are
    ; in the Start menu of whoever ran it, also where the installer put its own into everybody's.
    DeleteRegKey HKCU "Software\Classes\CLSID\{7D1F6C52-3B0E-4E0B-9C51-6F5C2A9E84D3}"
    DeleteRegKey HKCU "Software\Classes\CLSID\{A0CEE8BB-0694-42D3-B6C5-8DF268206231}"
    DeleteRegKey HKCU "Software\Classes\CLSID\{870DE3A4-9BAC-4045-A4F8-EE7A4583904D}"
    Push $R0
    ReadEnvStr $R0 "APPDATA"
    Delete "$R0\Microsoft\Windows\Start Menu\Programs\Muster.lnk"
    Delete "$R0\Microsoft\Windows\Start Menu\Programs\Muster Demo.lnk"
    Delete "$R0\Microsoft\Windows\Start Menu\Programs\Muster (other profile).lnk"
    Pop $R0
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
