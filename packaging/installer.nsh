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
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
  ${endIf}
!macroend
